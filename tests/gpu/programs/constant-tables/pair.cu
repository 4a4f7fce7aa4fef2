__constant__ struct Pair { int a; long long b; } pair = {2, 300};
