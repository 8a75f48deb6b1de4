"""What a type checker must refuse. Each line is followed by the kind of error that it has to report."""

import minitorch as mt

x = mt.randn(2, 2)

mt.exp()  # error: call-arg
mt.exp(x, x)  # error: call-arg
mt.exp("text")  # error: arg-type
mt.sum(x, dim="rows")  # error: arg-type
mt.sum(x, dims=0)  # error: call-arg
x.sum(0, keepdims=1)  # error: call-arg
x.summ()  # error: attr-defined
print(x.max(1).value)  # error: attr-defined
print(x.max().values)  # error: attr-defined
x.topk()  # error: call-arg
x + "text"  # error: arg-type
x.reshape("2")  # error: arg-type
mt.cat(x, x)  # error: arg-type
mt.zeros("2")  # error: arg-type
mt.where(x > 0, x)  # error: call-overload
mt.nn.Linear("3", 4)  # error: arg-type
mt.nn.Lineal(3, 4)  # error: attr-defined
mt.optim.SGD(lr=0.1)  # error: call-arg
mt.relue(x)  # error: attr-defined
mt.nn.MSELoss()(x)  # error: call-arg
mt.nn.Linear(2, 3)("text")  # error: arg-type
mt.nn.Sequential([mt.nn.ReLU()])  # error: arg-type
mt.nn.functional.mse_loss(x, x, reduction="average")  # error: arg-type
mt.nn.functional.pad(x, padding=(1, 1))  # error: call-arg
mt.optim.SGD(x.shape, lr=0.1)  # error: arg-type
mt.optim.AdamW([x], lr="0.1")  # error: arg-type
mt.data.DataLoader({1, 2})  # error: call-overload
mt.train.fit(x, [], [], mt.nn.MSELoss(), epochs=1)  # error: arg-type
mt.save(x, "weights.safetensors")  # error: arg-type
