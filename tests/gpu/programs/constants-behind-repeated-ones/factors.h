inline __constant__ int factors[3] = {2, 3, 5};
