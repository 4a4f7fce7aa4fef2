"""Containers from the recipes of link cases (linkcase.py). `read` gives the bytes of a file that was built before.

    {"fatbin": [ENTRY, ...]}            ENTRY: {"elf": "90", "of": "a.cubin", "compression": "zstd", "fields": {...}}
    {"object": {"fatbin": [ENTRY, ...], "id": "name" or ["name", ...], "KE": [...], "KI": [...]}}
                                        also "references": false, "machine": 183, "type": 2,
                                        "whole": true (already linked code)
    {"archive": [[MEMBER, FILE], ...]}  also "index": N, "thin": true
    {"cut": N} beside any of them       leaves N bytes off the end

A file is named by its name among the inputs; {"text": ...} in its place is a text.
"""
from . import archive, fatbin, host_object

STAGES = ("fatbin", "object", "archive")        # each may use what those before it make


def stage(recipe):
    """When to build: 0 for what is no container."""
    return max([STAGES.index(kind) + 1 for kind in STAGES if kind in recipe], default=0)


def contents(source, read):
    return source["text"].encode() if isinstance(source, dict) else read(source)


def build_fatbin(entries, read):
    packed = []
    for entry in entries:
        payload = contents(entry["of"], read)
        packed.append(fatbin.elf(entry["elf"], payload, entry.get("compression", ""), fields=entry.get("fields", {})))
    return fatbin.pack(packed)


def build_object(parts, read):
    image = build_fatbin(parts["fatbin"], read) if parts.get("fatbin") is not None else None
    ids = parts.get("id")
    module_id = host_object.strings(*([ids] if isinstance(ids, str) else ids)) if ids is not None else None
    if parts.get("whole"):
        sections = [(host_object.WHOLE_PROGRAM, image), (host_object.SEGMENT, host_object.WRAPPER)]
    else:
        references = {key: parts.get(key, ()) for key in host_object.REFERENCES}
        sections = host_object.sections_of(image, module_id, references=parts.get("references", True), **references)
    return host_object.pack(sections, machine=parts.get("machine", host_object.X86_64),
                            type=parts.get("type", host_object.ET_REL))


def build_archive(recipe, read):
    members = [(name, contents(source, read)) for name, source in recipe["archive"]]
    index = archive.symbol_index(recipe["index"]) if "index" in recipe else None
    if recipe.get("thin"):
        return archive.pack_thin([(name, len(data)) for name, data in members], index)
    return archive.pack(members, index)


def build(recipe, read):
    if "fatbin" in recipe:
        image = build_fatbin(recipe["fatbin"], read)
    elif "object" in recipe:
        image = build_object(recipe["object"], read)
    else:
        image = build_archive(recipe, read)
    return image[:len(image) - recipe.get("cut", 0)]
