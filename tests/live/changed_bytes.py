"""What a damaged file differs in: single bytes, of an image where that is packed."""
from containers.fatbin import packed_images, unpacked


def differing(old, new, places):
    """(contents, place in them, bits that are changed) of each changed byte."""
    return ((old, place, old[place] ^ new[place]) for place in places if old[place] != new[place])


def unpacked_changes(image, damaged):
    """Those of an image that is packed in both files; a None where it cannot be compared."""
    if not image or not damaged or len(image) != len(damaged):
        yield None
        return
    yield from differing(image, damaged, range(len(image)))


def changes(old, new):
    """(contents, place in them, bits that are changed) of each changed byte; a None for other damage."""
    if len(old) != len(new):
        yield None
        return
    behind = 0
    for begin, size, fields, image in packed_images(old):
        yield from differing(old, new, range(behind, begin))
        behind = begin + size
        if old[begin:behind] != new[begin:behind]:
            yield from unpacked_changes(image, unpacked(fields, new[begin:behind]))
    yield from differing(old, new, range(behind, len(old)))
