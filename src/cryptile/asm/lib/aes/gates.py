"""The AES S-box and its inverse as straight-line logic."""

from collections.abc import Sequence

from cryptile.asm.code import Code, Operand

# Both circuits go through GF(((2^2)^2)^2): linear map, products, inversion in GF(2^4), products,
# linear map. Inputs are x0 (most significant) to x7, outputs s0 to s7. Constants are left out: of
# FORWARD comes S(x) + 0x63, into INVERSE goes y + 0x63. The order keeps few values alive.

FORWARD = """
t0=x1^x2; y14=x3^x5; y13=x0^x6; y1=t0^x7; y12=y13^y14; t1=x4^y12; y9=x0^x3; y5=y1^x6; y8=x0^x5
y3=y5^y8; y4=y1^x3; y15=t1^x5; t5=y4&x7; y6=y15^x7; t2=y12&y15; y20=t1^x1; t3=y3&y6; t6=t5^t2
t4=t3^t2; t17=t4^y20; y10=y15^t0; y11=y20^y9; y16=t0^y11; t12=y9&y11; t15=y8&y10; t16=t15^t12
t18=t6^t16; y19=y10^y8; t22=t18^y19; y17=y10^y11; t13=y14&y17; t14=t13^t12; t21=t17^t14
t7=y13&y16; t8=y5&y1; t9=t8^t7; t19=t9^t14; y7=x7^y11; y2=y1^x0; t10=y2&y7; t11=t10^t7
t20=t11^t16; y18=x0^y16; t24=t20^y18; y21=y13^y16; t23=t19^y21; t26=t21&t23; t25=t21^t22
t31=t22^t26; t27=t24^t26; t30=t23^t24; t32=t31&t30; t33=t32^t24; t34=t23^t33; t28=t25&t27
t29=t28^t22; t35=t27^t33; t36=t24&t35; t37=t36^t34; t38=t27^t36; t39=t29&t38; t40=t25^t39
t43=t29^t40; z3=t43&y16; z12=t43&y13; z5=t29&y7; u12=z3^z5; z4=t40&y1; u6=z3^z4; z13=t40&y5
z1=t37&y6; t41=t40^t37; z10=t37&y3; t44=t33^t37; z0=t44&y15; z9=t44&y12; z2=t33&x7; u5=z1^z0
u4=z0^z2; z14=t29&y2; z11=t33&y4; t42=t29^t33; z8=t41&y10; z17=t41&y8; z15=t42&y9; z6=t42&y11
t45=t42^t41; z16=t45&y14; u11=u6^u5; u7=z12^u4; z7=t45&y17; u8=z7^u6; u16=z6^u8; u9=z8^u7
u10=u8^u9; u1=z15^z16; u17=z14^u10; u14=u4^u12; u2=z10^u1; u20=z15^u16; u3=z9^u2; u13=z13^u1
u18=u13^u14; s6=u10^u18; u26=u17^u20; s3=u3^u11; s7=z12^u18; s4=u14^s3; s1=s3^u16; s0=u3^u16
s2=u26^z17; u21=u2^z11; s5=u21^u17
"""
"""113 gates. J. Boyar and R. Peralta, "A small depth-16 circuit for the AES S-box" (SEC 2012), up
to the products z; then the shorter linear map of C. Calik."""

INVERSE = """
r0=x5^x0; y9=x4^x3; y19=x7^x4; y8=x1^x0; y1=y19^x3; y0=r0^x2; y13=y1^x6; y5=x3^x1; y2=y13^y5
y3=x3^x0; y20=r0^y2; y6=y3^x1; y14=y6^x4; y4=y2^y9; y18=y9^x2; y12=y13^y14; y11=r0^y4; y7=y18^y2
y21=y7^x6; t3=y3&y6; y10=y19^y8; y16=y7^y1; y17=y11^y10; y15=y17^y16; t2=y12&y15; t4=t3^t2
t17=t4^y20; t5=y4&y0; t6=t5^t2; t12=y9&y11; t13=y14&y17; t14=t13^t12; t15=y8&y10; t16=t15^t12
t18=t6^t16; t22=t18^y19; t21=t17^t14; t7=y13&y16; t8=y5&y1; t9=t8^t7; t19=t9^t14; t23=t19^y21
t10=y2&y7; t11=t10^t7; t20=t11^t16; t24=t20^y18; t26=t21&t23; t25=t21^t22; t27=t24^t26
t31=t22^t26; t30=t23^t24; t32=t31&t30; t33=t32^t24; t35=t27^t33; t36=t24&t35; t34=t23^t33
t37=t36^t34; t38=t27^t36; t28=t25&t27; t29=t28^t22; t39=t29&t38; t40=t25^t39; z14=t29&y2
z11=t33&y4; z5=t29&y7; z2=t33&y0; t44=t33^t37; z0=t44&y15; z9=t44&y12; t42=t29^t33; t43=t29^t40
z3=t43&y16; z12=t43&y13; z4=t40&y1; z13=t40&y5; z10=t37&y3; t41=t40^t37; z1=t37&y6; z15=t42&y9
z17=t41&y8; z8=t41&y10; t45=t42^t41; z6=t42&y11; z7=t45&y17; z16=t45&y14; v17=z9^z11
v11=z10^z16; v14=z1^z8; v18=v17^z17; v1=z6^z15; v2=v1^z12; v0=z13^z16; v22=z12^v18; v4=z5^z3
s7=z15^v18; v3=v2^v0; v7=z0^v4; v8=z2^v7; v9=z4^v3; v10=v9^z3; s6=z7^v10; v15=v14^v7; v12=v11^v8
v13=v12^z11; s5=v15^v10; v19=z14^v13; v5=v3^v4; v20=v19^s5; s1=v22^v20; v26=z17^v13; s0=v5^z8
s4=v26^s6; s2=v0^v20; s3=s0^v8
"""
"""114 gates: the same inversion between linear maps that were searched for anew, with the heuristic
of J. Boyar and R. Peralta ("Logic minimization techniques with applications to cryptology", J.
Cryptology 26, 2013), the second one transposed."""


def substitute(code: Code, planes: Sequence[Operand], circuit: str) -> list[Operand]:
    """Write a circuit on bit planes; plane j holds bit j of every byte."""
    code.step("substitute")
    values: dict[str, Operand] = {f"x{7 - bit}": plane for bit, plane in enumerate(planes)}
    for gate in circuit.replace("\n", ";").split(";"):
        if gate.strip():
            target, expression = gate.strip().split("=")
            operation = "&" if "&" in expression else "^"
            a, b = (values[name] for name in expression.split(operation))
            values[target] = code.and_(a, b) if operation == "&" else code.xor(a, b)
    return [values[f"s{7 - bit}"] for bit in range(8)]
