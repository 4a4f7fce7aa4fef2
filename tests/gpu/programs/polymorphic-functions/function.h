// Any callable int(int) of up to 16 bytes, called through a pointer to its own instance of `call_as`.
class Function {
  public:
    template <typename F> __device__ Function(F callable) : call_(call_as<F>)
    {
        static_assert(sizeof(F) <= sizeof room_, "");
        new (room_) F(callable);
    }
    __device__ int operator()(int x) const { return call_(room_, x); }

  private:
    template <typename F> static __device__ int call_as(const void *room, int x)
    {
        return (*static_cast<const F *>(room))(x);
    }
    int (*call_)(const void *, int);
    alignas(8) unsigned char room_[16];
};
__device__ Function pick(int kind, int bias);
__device__ int compose(const Function &f, const Function &g, int x);
