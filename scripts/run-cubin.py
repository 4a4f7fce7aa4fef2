#!/usr/bin/env python3
"""Run the linked example on this machine's GPU and check what it computes.

    scripts/run-cubin.py CUBIN...

Of the given cubins, the one that fits the GPU best is loaded through the
driver's own library (libcuda.so.1). Without a driver, a GPU or a fitting cubin
it says so and ends with status 0; a wrong result or a refused cubin is 1.
"""
import ctypes
import struct
import sys

COMPUTE_CAPABILITY_MAJOR, COMPUTE_CAPABILITY_MINOR = 75, 76
COUNT, THREADS = 1000, 256

# The constant table of examples/library.cu.
COEFFICIENTS = (1.0, -2.0, 0.5, 0.25)


class NotHere(Exception):
    """There is nothing on this machine to run on."""


class DriverError(Exception):
    pass


class Gpu:
    """The few calls of the driver API that a launch needs."""

    def __init__(self):
        try:
            self.driver = ctypes.CDLL("libcuda.so.1")
        except OSError:
            raise NotHere("no GPU driver (libcuda.so.1) on this machine") from None
        if self.driver.cuInit(0) != 0:
            raise NotHere("the GPU driver finds no GPU")
        self.device, context = ctypes.c_int(), ctypes.c_void_p()
        self.call("cuDeviceGet", ctypes.byref(self.device), 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), self.device)
        self.call("cuCtxSetCurrent", context)

    def call(self, name, *arguments):
        status = getattr(self.driver, name)(*arguments)
        if status != 0:
            text = ctypes.c_char_p()
            self.driver.cuGetErrorString(status, ctypes.byref(text))
            reason = text.value.decode() if text.value else "unknown error"
            raise DriverError(f"{name}: {reason} ({status})")

    def name(self):
        text = ctypes.create_string_buffer(100)
        self.call("cuDeviceGetName", text, len(text), self.device)
        return text.value.decode()

    def capability(self):
        """(9, 0) for sm_90."""
        numbers = []
        for attribute in (COMPUTE_CAPABILITY_MAJOR, COMPUTE_CAPABILITY_MINOR):
            value = ctypes.c_int()
            self.call("cuDeviceGetAttribute", ctypes.byref(value), attribute, self.device)
            numbers.append(value.value)
        return tuple(numbers)

    def load(self, image):
        module = ctypes.c_void_p()
        self.call("cuModuleLoadData", ctypes.byref(module), image)
        return module

    def buffer(self, floats):
        address = ctypes.c_uint64()
        data = struct.pack(f"<{len(floats)}f", *floats)
        self.call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(len(data)))
        self.call("cuMemcpyHtoD_v2", address, data, ctypes.c_size_t(len(data)))
        return address

    def read(self, address, layout):
        data = ctypes.create_string_buffer(struct.calcsize(layout))
        self.call("cuMemcpyDtoH_v2", data, address, ctypes.c_size_t(len(data)))
        return struct.unpack(layout, data.raw)

    def variable(self, module, name):
        address, size = ctypes.c_uint64(), ctypes.c_size_t()
        self.call("cuModuleGetGlobal_v2", ctypes.byref(address), ctypes.byref(size),
                  module, name.encode())
        return address

    def launch(self, module, name, blocks, *arguments):
        function = ctypes.c_void_p()
        self.call("cuModuleGetFunction", ctypes.byref(function), module, name.encode())
        pointers = (ctypes.c_void_p * len(arguments))(
            *(ctypes.cast(ctypes.byref(value), ctypes.c_void_p) for value in arguments))
        self.call("cuLaunchKernel", function, blocks, 1, 1, THREADS, 1, 1, 0, None,
                  pointers, None)
        self.call("cuCtxSynchronize")


def target(path):
    """(8, 0) of an sm_80 cubin: bits 8 to 23 of the ELF header's flags."""
    with open(path, "rb") as file:
        header = file.read(64)
    return divmod(struct.unpack_from("<I", header, 48)[0] >> 8 & 0xFFFF, 10)


def choose(paths, capability):
    """Code runs on its own generation, from its own number upwards."""
    fitting = [path for path in paths
               if target(path)[0] == capability[0] and target(path)[1] <= capability[1]]
    if not fitting:
        raise NotHere("none of the cubins is for a GPU of compute capability "
                      "%d.%d" % capability)
    return max(fitting, key=target)


def clamp(value, low, high):
    return min(max(value, low), high)


def polynomial(x):
    x = clamp(x, -4.0, 4.0)
    return sum(c * x ** power for power, c in enumerate(COEFFICIENTS))


def close(found, expected):
    return all(abs(a - b) <= 1e-4 * max(1.0, abs(b)) for a, b in zip(found, expected))


def run(gpu, module):
    """(what was computed, was it right) for each kernel."""
    values = [i * 0.01 - 5.0 for i in range(COUNT)]
    blocks = (COUNT + THREADS - 1) // THREADS
    source, count = gpu.buffer(values), ctypes.c_int(COUNT)

    result = gpu.buffer([0.0] * COUNT)
    gpu.launch(module, "evaluate", blocks, result, source, count)
    expected = [clamp(polynomial(x), 0.0, 100.0) for x in values]
    yield f"evaluate: {COUNT} values", close(gpu.read(result, f"<{COUNT}f"), expected)

    counter = gpu.variable(module, "evaluations")
    yield "evaluations: the counter", gpu.read(counter, "<I") == (COUNT,)

    sums = gpu.buffer([0.0] * blocks)
    gpu.launch(module, "sum", blocks, sums, source, count)
    expected = [sum(values[b * THREADS:(b + 1) * THREADS]) for b in range(blocks)]
    yield f"sum: {blocks} blocks", close(gpu.read(sums, f"<{blocks}f"), expected)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    try:
        gpu = Gpu()
        path = choose(sys.argv[1:], gpu.capability())
        print(f"running {path} on {gpu.name()}")
        with open(path, "rb") as file:
            module = gpu.load(file.read())
        failed = 0
        for what, right in run(gpu, module):
            print(f"    {what}: {'right' if right else 'WRONG'}")
            failed += not right
        return 1 if failed else 0
    except NotHere as reason:
        print(f"not run: {reason}")
        return 0
    except DriverError as error:
        print(f"failed: {error}")
        return 1


if __name__ == "__main__":
    sys.exit(main())
