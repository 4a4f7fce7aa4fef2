"""Makes a random multi-file program from a seed, an architecture and a profile."""
import copy
import random

import program_model as model
from known_differences import avoid
from program_model import Address, Alias, Function, Program, Signature, SourceFile, Variable
from program_profiles import PROFILES
from random_faults import add_fault
from random_options import choose_options

SIGNATURES = [
    Signature(("b32",), "b32"),
    Signature(("b64", "b32"), "b32"),
    Signature((), None),
    Signature(("b64",), None),
    Signature(("f32", "b32"), "f32"),
    Signature(("b64", "f64"), "f64"),
    Signature(("b64",), "b64"),
    Signature(((8, 24), "b64"), "b32"),
    Signature(("b32", "b32", "b64", "b64", "f64", "b32"), (8, 16)),
]
KERNEL_PARAMETERS = ["u32", "u64", "f32", "f64", "b32", (8, 24), (16, 64), (4, 4), (8, 400), "b64"]
ALIGNMENTS = [1, 2, 4, 4, 4, 8, 8, 16, 16, 32, 64, 128, 256]
# Of the PTX: before sm_70 threads need not all make progress.
TARGETS = {"sm_75": ["sm_60", "sm_75"], "sm_80": ["sm_60", "sm_75", "sm_80"], "sm_86": ["sm_75", "sm_80", "sm_86"],
           "sm_87": ["sm_80", "sm_86", "sm_87"], "sm_88": ["sm_80", "sm_86"], "sm_89": ["sm_61", "sm_75", "sm_80", "sm_89"],
           "sm_90": ["sm_60", "sm_75", "sm_80", "sm_89", "sm_90"], "sm_90a": ["sm_90a"]}
for _number in ("100", "103", "110", "120", "121"):
    TARGETS["sm_" + _number] = ["sm_52", "sm_75", "sm_80", "sm_90", "sm_" + _number]
    TARGETS.update({"sm_" + _number + suffix: ["sm_" + _number + suffix] for suffix in "af"})
OPERATIONS = ["div.rn.f32", "div.rn.f64", "sqrt.rn.f64", "rcp.rn.f64", "sqrt.rn.f32"]
SPECIAL_REGISTERS = ["ctaid.z", "ctaid.z", "nctaid.z", "tid.x", "smid", "dynamic_smem_size", "total_smem_size"]
FILE_NAMES = "abcdef"


class Maker:
    def __init__(self, seed, arch, profile_name):
        self.random = random.Random("%s/%s/%s" % (seed, arch, profile_name))
        self.arch = arch
        self.profile = PROFILES[profile_name]
        self.program = Program(arch=arch, signatures={}, kernels=[], shapes={})
        self.tables = {}                 # variable name -> signature of the functions in it
        self.same_bodies = []            # weak functions whose copies are equal
        self.ranks = {}                  # of functions, for calls that make no cycle
        self.never_called = set()
        self.dynamic = self.chance(self.profile.dynamic_shared)

    # --- small helpers

    def chance(self, probability):
        return self.random.random() < probability

    def up_to(self, most, least=0):
        """Small numbers are more frequent than large ones."""
        return least + min(self.random.randint(0, most - least), self.random.randint(0, most - least) + 1)

    def some_files(self, least=1):
        files = self.program.files
        return self.random.sample(files, min(len(files), self.random.randint(least, max(least, len(files)))))

    # --- files

    def make_files(self):
        count = self.random.choice([1, 2, 2, 3, 3, 4, self.profile.files, 6])
        independent = self.chance(0.5)
        for name in FILE_NAMES[:count]:
            target = TARGETS[self.arch][-1]
            if self.chance(self.profile.old_target):
                target = self.random.choice(TARGETS[self.arch])
            source = SourceFile(name=name, target=target, version=self.random.choice(["6.3", "7.0", "7.8", "8.5", "9.0"]),
                                independent_textures=independent)
            draw = self.random.random()
            if draw < self.profile.lines:
                source.debug = "lines"
                source.flags.append("--generate-line-info")
            elif draw < self.profile.lines + self.profile.full_debug:
                source.debug = "full"
                source.flags.append("-g")
            elif self.chance(self.profile.compiler_flag):
                source.flags.append(self.random.choice(["-O0", "-O1", "-O2", "-maxrregcount=32", "-maxrregcount=64",
                                                        "--disable-optimizer-constants",
                                                        "--suppress-stack-size-warning"]))
            self.program.files.append(source)

    # --- functions: first their names and places, then their bodies

    def function(self, name, linkage, signature, entry=False):
        made = Function(name=name, linkage=linkage, signature=signature, entry=entry)
        if not entry and signature.result is None and self.chance(self.profile.noreturn):
            made.noreturn = True
        if entry and self.chance(self.profile.directive):
            choices = [".maxntid 128, 1, 1", ".reqntid 64, 2, 1", ".minnctapersm 2 "]
            made.directives.append(self.random.choice(choices))
            if self.chance(0.03):
                made.directives = [self.random.choice([".maxnreg 64", ".maxnreg 128"])]
            if made.directives[0].startswith(".minnctapersm"):
                made.directives.insert(0, ".maxntid 128, 1, 1")
            if self.target_number >= 90 and self.chance(0.4):
                made.directives = [".reqnctapercluster 2, 1, 1"]
        return made

    @property
    def target_number(self):
        return min(int(source.target[3:5]) for source in self.program.files)

    def make_functions(self):
        signatures = SIGNATURES[:3] if not self.chance(self.profile.odd_signature) else SIGNATURES
        pool = self.random.sample(signatures, min(len(signatures), 3))
        for i in range(self.up_to(self.profile.functions)):
            name, signature = self.function_name(i), self.random.choice(pool)
            draw = self.random.random()
            if draw < self.profile.weak_function:
                self.make_weak(name, signature)
            elif draw < self.profile.weak_function + self.profile.local_function:
                self.make_local(name, signature)
            else:
                self.random.choice(self.program.files).functions.append(self.function(name, "visible", signature))
                self.program.signatures[name] = signature

    def function_name(self, i):
        return self.random.choice(["f%d", "fn_%d", "_Z4funcILi%dEEii", "long_function_name_number_%d"]) % i

    def make_weak(self, name, signature):
        self.program.signatures[name] = signature
        chosen = self.some_files()
        strong = self.random.choice(chosen) if self.chance(self.profile.strong_over_weak) else None
        for source in chosen:
            source.functions.append(self.function(name, "visible" if source is strong else "weak", signature))
        if self.chance(self.profile.weak_same_body):
            self.same_bodies.append(name)

    def make_local(self, name, signature):
        repeated = self.chance(self.profile.repeated_local_name)
        for source in self.some_files(2) if repeated else [self.random.choice(self.program.files)]:
            source.functions.append(self.function(name, "local", signature))

    def make_kernels(self):
        count = self.up_to(self.profile.kernels, 1) if self.chance(0.97) else 0
        for i in range(count):
            many = self.random.choice([0, 1, 1, 2, 3, 12])
            parameters = ("u64",) + tuple(self.random.choice(KERNEL_PARAMETERS) for _ in range(many))
            name, signature = self.random.choice(["k%d", "kernel_%d", "_Z3kern%dPi"]) % i, Signature(parameters)
            draw = self.random.random()
            if draw < self.profile.weak_kernel:
                for source in self.some_files():
                    source.functions.append(self.function(name, "weak", signature, entry=True))
            else:
                local = draw < self.profile.weak_kernel + self.profile.local_kernel
                source = self.random.choice(self.program.files)
                source.functions.append(self.function(name, "local" if local else "visible", signature, entry=True))
                if local:
                    continue
            self.program.signatures[name] = signature
            self.program.kernels.append(name)

    def make_aliases(self):
        for source in self.program.files:
            for function in list(source.functions):
                plain = not function.entry and function.linkage == "visible" and not function.noreturn
                if plain and self.chance(self.profile.alias):
                    name = function.name + "_alias"
                    source.aliases.append(Alias(name=name, target=function.name))
                    self.program.signatures[name] = function.signature

    # --- variables

    def make_variables(self):
        for i in range(self.up_to(self.profile.variables)):
            self.make_variable("v%d" % i)
        if self.chance(self.profile.texture):
            self.make_textures()
        for source in self.program.files:
            self.random.shuffle(source.variables)

    def shape(self, name):
        draw = self.random.random()
        space = "global"
        if draw < self.profile.shared:
            space = "shared"
        elif draw < self.profile.shared + self.profile.const:
            space = "const"
        element = self.random.choice(["b8", "b32", "b32", "b64", "u8"])
        count = self.random.choice([1, 1, 2, 3, 4, 7, 16, 40])
        least = {"b8": 1, "u8": 1, "b32": 4, "b64": 8}[element]
        align = max(least, self.random.choice(ALIGNMENTS))
        return Variable(name=name, space=space, element=element, count=count, align=align)

    def make_variable(self, name):
        shape = self.shape(name)
        if shape.space == "shared":
            return self.make_shared_variable(shape)
        if self.chance(self.profile.function_table) and self.public_functions():
            return self.make_table(shape)
        draw = self.random.random()
        profile = self.profile
        if draw < profile.local_variable:
            places, linkage = self.some_files() if self.chance(0.2) else [self.random.choice(self.program.files)], "local"
        elif draw < profile.local_variable + profile.weak_variable:
            places, linkage = self.some_files(), "weak"
        elif draw < profile.local_variable + profile.weak_variable + profile.common_variable and shape.space == "global":
            places, linkage = self.some_files(), "common"
        else:
            places, linkage = [self.random.choice(self.program.files)], "visible"
        managed = shape.space == "global" and linkage == "visible" and self.chance(profile.managed)
        initialised = self.chance(profile.initialised)
        for source in places:
            variable = copy.copy(shape)
            variable.linkage, variable.managed, variable.initial = linkage, managed, []
            if initialised and linkage != "common":
                variable.initial = self.initialiser(variable)
            if linkage == "common" and self.chance(0.3):
                variable.count = self.random.choice([1, 2, 5, 20])
            source.variables.append(variable)
        if linkage != "local":
            if linkage == "weak" and self.chance(0.15):
                self.random.choice([v for s in places for v in s.variables if v.name == shape.name]).linkage = "visible"
            self.program.shapes[shape.name] = shape

    def make_shared_variable(self, shape):
        draw = self.random.random()
        if draw < 0.45:
            places, linkage = [self.random.choice(self.program.files)], "local"
        elif draw < 0.6:
            places, linkage = self.some_files(), "weak"
        else:
            places, linkage = [self.random.choice(self.program.files)], "visible"
        for source in places:
            variable = copy.copy(shape)
            variable.linkage, variable.initial = linkage, []
            source.variables.append(variable)
        if linkage != "local":
            self.program.shapes[shape.name] = shape

    def initialiser(self, variable):
        """Numbers, or whole addresses in 64-bit elements, or single bytes of addresses in u8 elements."""
        profile, values = self.profile, []
        addresses = variable.element == "b64" and self.chance(profile.address_initialiser)
        masked = variable.element == "u8" and self.chance(profile.masked_initialiser)
        for _ in range(variable.count):
            symbol = self.address_symbol() if (addresses or masked) and self.chance(0.6) else None
            if symbol and masked:
                values.append(Address(symbol=symbol, mask=0xFF << 8 * self.random.randint(0, 7),
                                      generic=self.chance(0.3)))
            elif symbol:
                values.append(Address(symbol=symbol, offset=self.random.choice([0, 0, 4, 8]), generic=self.chance(0.6)))
            else:
                values.append(self.random.randint(0, 255))
        if addresses:
            variable.element = "u64"
        return values

    def address_symbol(self):
        names = [n for n, shape in self.program.shapes.items() if shape.space == "global"]
        if self.chance(0.3):
            names = self.public_functions()
        return self.random.choice(names) if names else None

    def public_functions(self):
        return [name for name in self.program.signatures if name not in self.program.kernels]

    def make_table(self, shape):
        """Addresses of functions of one signature, for indirect calls."""
        signature = self.program.signatures[self.random.choice(self.public_functions())]
        names = [n for n in self.public_functions() if self.program.signatures[n] == signature]
        shape.element, shape.align, shape.count = "u64", 8, self.random.randint(1, 4)
        table = copy.copy(shape)
        table.linkage = "visible"
        table.initial = [Address(symbol=self.random.choice(names)) for _ in range(shape.count)]
        self.random.choice(self.program.files).variables.append(table)
        self.program.shapes[shape.name] = shape
        self.tables[shape.name] = signature

    def make_textures(self):
        independent = self.program.files[0].independent_textures
        for i in range(self.random.randint(1, 4)):
            space = self.random.choice(["texref", "surfref", "texref"])
            self.place_reference("%s_%d" % (space[:4], i), space)
        if independent:
            for i in range(self.random.randint(1, 2)):
                self.place_reference("samp_%d" % i, "samplerref")

    def place_reference(self, name, space):
        shape = Variable(name=name, space=space, linkage="visible")
        self.random.choice(self.program.files).variables.append(copy.copy(shape))
        self.program.shapes[name] = shape

    # --- bodies

    def visible_from(self, source):
        """Functions that a statement in this file may name, own ones and those of other files."""
        names = dict.fromkeys(f.name for f in source.functions if not f.entry)
        names.update(dict.fromkeys(self.public_functions()))
        return list(names)

    def signature_in(self, source, name):
        for function in source.functions:
            if function.name == name:
                return function.signature
        return self.program.signatures.get(name)

    def make_bodies(self):
        done = {}
        for source in self.program.files:
            self.random.shuffle(source.functions)
            for function in source.functions:
                if function.name in self.same_bodies and function.name in done:
                    earlier = done[function.name]
                    function.statements, function.frame = copy.deepcopy(earlier.statements), earlier.frame
                    function.shared = copy.deepcopy(earlier.shared)
                    continue
                self.make_body(source, function)
                done[function.name] = function

    def make_body(self, source, function):
        profile = self.profile
        if self.chance(profile.frame):
            function.frame = self.random.choice([4, 8, 16, 24, 48, 128, 1000])
        if self.chance(profile.own_shared):
            for i in range(self.random.randint(1, 3)):
                shape = self.shape("%s_own%d" % (function.name, i))
                shape.space, shape.linkage = "shared", "local"
                function.shared.append(shape)
        statements = []
        for _ in range(self.up_to(profile.statements, 1)):
            statements += self.statements(source, function)
        for own in function.shared:
            if self.chance(0.85):
                statements.append(model.LoadVariable(variable=own.name))
        if self.dynamic and self.chance(0.25):
            statements.append(model.LoadVariable(variable="dynamic_%d" % self.random.randint(0, 1)))
        self.random.shuffle(statements)
        function.statements = statements

    def statements(self, source, function):
        """A few statements of random kinds."""
        profile, made = self.profile, []
        makers = [
            (profile.live_registers, lambda: model.LiveRegisters(count=self.random.choice([2, 5, 12, 25, 40, 70]))),
            (profile.doubles, lambda: model.DoubleConstants(bits=[self.random.getrandbits(62)
                                                                  for _ in range(self.random.randint(1, 4))])),
            (profile.jump_table, lambda: model.JumpTable(cases=self.random.randint(5, 9))),
            (profile.barrier, self.barrier),
            (profile.special_register, lambda: model.ReadSpecialRegister(name=self.random.choice(SPECIAL_REGISTERS))),
            (profile.slow_arithmetic, lambda: model.SlowArithmetic(operation=self.random.choice(OPERATIONS))),
            (profile.special_instruction, self.special_instruction),
            (profile.call, lambda: self.call(source, function)),
            (profile.call, lambda: self.call(source, function)),
            (profile.indirect_call, lambda: self.indirect_call(source)),
            (profile.address_taken, lambda: self.take_address(source)),
            (profile.kernel_address, lambda: self.take_kernel_address(source)),
            (profile.system_call, lambda: model.SystemCall(name=self.random.choice(list(model.SYSTEM_CALLS)))),
            (profile.data_use, lambda: self.data_use(source)),
            (profile.texture, lambda: self.texture_use()),
        ]
        for probability, make in makers:
            if self.chance(probability):
                statement = make()
                if statement is not None:
                    made.append(statement)
        return made

    def barrier(self):
        forms = ["sync", "sync", "sync", "register", "red"] + (["cluster"] if self.target_number >= 90 else [])
        return model.Barrier(form=self.random.choice(forms), number=self.random.choice([0, 0, 1, 2, 5, 15]))

    def special_instruction(self):
        names = ["vote", "shuffle", "exit", "mma", "membar.gl", "trap"]
        if self.target_number >= 80:
            names += ["mma.sp", "redux"]
        if self.target_number >= 90:
            names += ["griddepcontrol"]
        return model.SpecialInstruction(name=self.random.choice(names))

    def rank(self, name):
        """Calls go to a higher rank unless recursion is wanted; the rank depends on the name alone."""
        return self.ranks.setdefault(name, self.random.random())

    def call(self, source, function):
        names = [n for n in self.visible_from(source) if n not in self.never_called]
        if not self.chance(self.profile.recursion):
            lowest = -1 if function.entry else self.rank(function.name)
            names = [n for n in names if self.rank(n) > lowest and not n.endswith("_alias") or function.entry]
        if not names:
            return None
        return model.Call(target=self.random.choice(names), guarded=self.chance(0.4))

    def indirect_call(self, source):
        tables = list(self.tables)
        if tables and self.chance(0.5):
            table = self.random.choice(tables)
            return model.IndirectCall(signature=self.tables[table], table=table,
                                      index=self.random.randrange(self.program.shapes[table].count))
        names = self.visible_from(source)
        if not names:
            return None
        name = self.random.choice(names)
        by_value = self.chance(0.6)
        return model.IndirectCall(signature=self.signature_in(source, name), function=name if by_value else None)

    def take_address(self, source):
        names = self.visible_from(source)
        return model.StoreAddress(symbol=self.random.choice(names)) if names else None

    def take_kernel_address(self, source):
        names = self.program.kernels + [f.name for f in source.functions if f.entry]
        return model.StoreAddress(symbol=self.random.choice(names)) if names else None

    def data_use(self, source):
        names = list(self.program.shapes) + [v.name for v in source.variables]
        if not names:
            return None
        name = self.random.choice(names)
        shape = self.program.shapes.get(name) or [v for v in source.variables if v.name == name][0]
        step = {"b8": 1, "u8": 1}.get(shape.element, 4)
        last = shape.count * {"b8": 1, "u8": 1, "b32": 4}.get(shape.element, 8) // step - 1
        offset = step * self.random.randint(0, max(0, last)) if self.chance(0.6) else 0
        kind = self.random.choice([model.LoadVariable, model.LoadVariable, model.StoreVariable, None])
        if kind is None:
            return model.StoreAddress(symbol=name, offset=offset, generic=self.chance(0.7))
        if kind is model.LoadVariable and self.chance(0.15):
            return kind(variable=name, offset=offset, waits=True)
        return kind(variable=name, offset=offset)

    def texture_use(self):
        by_space = {}
        for name, shape in self.program.shapes.items():
            by_space.setdefault(shape.space, []).append(name)
        if by_space.get("surfref") and self.chance(0.4):
            return model.TouchSurface(surface=self.random.choice(by_space["surfref"]), store=self.chance(0.5))
        if not by_space.get("texref"):
            return None
        samplers = by_space.get("samplerref")
        return model.SampleTexture(texture=self.random.choice(by_space["texref"]),
                                   sampler=self.random.choice(samplers) if samplers else None)

    def choose_never_called(self):
        names = {f.name for source in self.program.files for f in source.functions if not f.entry}
        self.never_called = {n for n in sorted(names) if self.chance(self.profile.unused_function)}

    def make(self):
        self.make_files()
        self.make_functions()
        self.make_kernels()
        self.make_aliases()
        for i in range(2):
            self.program.shapes["dynamic_%d" % i] = Variable(name="dynamic_%d" % i, space="shared", element="b8", count=0,
                                                             align=self.random.choice([1, 4, 16, 32]))
        self.make_variables()
        self.choose_never_called()
        self.make_bodies()
        if self.chance(self.profile.fault):
            add_fault(self.program, self.random)
        choose_options(self.program, self.random, self.profile)
        return avoid(self.program)


def make_program(seed, arch, profile_name):
    return Maker(seed, arch, profile_name).make()
