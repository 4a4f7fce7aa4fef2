def cases(templates):
    return []
