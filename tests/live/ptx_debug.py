"""Line tables and a small DWARF 2 description for files compiled with debug information."""


def string(text):
    return ".b8 " + ",".join(str(byte) for byte in text.encode() + b"\0")


# (code, tag, has children, attributes as (name, form)), see DWARF 2.
ABBREVIATIONS = [
    (1, 0x11, 1, [(0x25, 0x08), (0x13, 0x05), (0x03, 0x08), (0x10, 0x06), (0x1B, 0x08), (0x11, 0x01)]),
    (2, 0x34, 0, [(0x03, 0x08), (0x33, 0x0B), (0x02, 0x0A)]),
    (3, 0x2E, 0, [(0x11, 0x01), (0x12, 0x01), (0x40, 0x0A), (0x03, 0x08), (0x3F, 0x0C)]),
]
ADDRESS_CLASS = {"const": 4, "global": 5, "shared": 8}


def abbreviation_bytes():
    values = []
    for code, tag, children, attributes in ABBREVIATIONS:
        values += [code, tag, children]
        for name, form in attributes:
            values += [name, form]
        values += [0, 0]
    return ".b8 " + ",".join(str(value) for value in values + [0])


class Information:
    """Lines of .debug_info with a running count of their bytes."""

    def __init__(self):
        self.lines = []
        self.size = 0

    def add(self, directive, value, size):
        self.lines.append(".%s %s" % (directive, value))
        self.size += size

    def text(self, text):
        self.lines.append(string(text))
        self.size += len(text) + 1


def compilation_unit(info, source):
    info.add("b8", 2, 1)
    info.add("b8", 0, 1)
    info.add("b32", ".debug_abbrev", 4)
    info.add("b8", 8, 1)
    info.add("b8", 1, 1)
    info.text("random program")
    info.add("b8", 4, 1)
    info.add("b8", 0, 1)
    info.text(source.name)
    info.add("b32", ".debug_line", 4)
    info.text("programs")
    info.add("b64", 0, 8)


def describe_variable(info, variable):
    info.add("b8", 2, 1)
    info.text(variable.name)
    info.add("b8", ADDRESS_CLASS[variable.space], 1)
    info.add("b8", 9, 1)
    info.add("b8", 3, 1)
    info.add("b64", variable.name, 8)


def describe_function(info, function):
    info.add("b8", 3, 1)
    info.add("b64", "$L__begin_" + function.name, 8)
    info.add("b64", "$L__end_" + function.name, 8)
    info.add("b8", 1, 1)
    info.add("b8", 156, 1)
    info.text(function.name)
    info.add("b8", 0 if function.linkage == "local" else 1, 1)


def debug_sections(source, scope):
    if not source.debug:
        return ""
    text = '\n.file 1 "%s.cu"\n.file 2 "common.h"\n' % source.name
    if source.debug == "lines":
        return text
    info = Information()
    compilation_unit(info, source)
    for variable in source.variables:
        if variable.space in ADDRESS_CLASS and variable.linkage != "extern":
            describe_variable(info, variable)
    for function in source.functions:
        describe_function(info, function)
    info.add("b8", 0, 1)
    text += ".section .debug_abbrev {\n%s\n}\n" % abbreviation_bytes()
    text += ".section .debug_info {\n.b32 %d\n%s\n}\n" % (info.size, "\n".join(info.lines))
    return text + ".section .debug_macinfo {\n.b8 0\n}\n"
