#include <cstdio>

extern "C" int length(void);
void compute(int *out, int n);

int main()
{
    int out[64];
    int n = length();
    compute(out, n);
    for (int i = 0; i < n; i++)
        printf("%d ", out[i]);
    printf("\n");
}
