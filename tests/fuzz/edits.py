"""What a mutant differs in from its file: single edits, each of which can be left out."""


class Edit:
    """Put bytes at an offset, or cut the file there (bytes None)."""

    def __init__(self, what, offset, new):
        self.what, self.offset, self.new = what, offset, new

    def apply(self, data):
        if self.new is None:
            return data[:self.offset]
        if self.offset + len(self.new) > len(data):
            return data         # a cut came before
        return data[:self.offset] + self.new + data[self.offset +
                                                    len(self.new):]

    def __str__(self):
        if self.new is None:
            return "%s: cut at 0x%x" % (self.what, self.offset)
        return "%s at 0x%x := %s" % (self.what, self.offset,
                                     self.new[:16].hex())


class Tail(Edit):
    """All that follows the offset becomes something else, of any length."""

    def apply(self, data):
        return data[:self.offset] + self.new

    def __str__(self):
        return "%s: %d bytes from 0x%x on" % (self.what, len(self.new), self.offset)
