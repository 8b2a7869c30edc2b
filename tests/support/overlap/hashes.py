"""Hashes, codes, key derivation, extendable output."""

import random

from support.overlap.calls import OK, PARAM, Call, Env, simple


def hashes() -> list[Call]:
    def alg(env: Env, name: str = "sha256") -> int:
        return env.symbol(f"cryptile_{name}")

    def salt(env: Env, rng: random.Random) -> tuple[int, int]:
        return env.place(rng.randbytes(40)), 40

    digests = {"sha256": 32, "sha512": 64, "sha3_256": 32, "ascon_hash256": 32}
    calls = [
        simple(
            "cryptile_hash",
            size,
            lambda env, rng, a, n, b, name=name: [alg(env, name), a, n, b],
            title=f"cryptile_hash {name}",
        )
        for name, size in digests.items()
    ]

    def drbg(env: Env, rng: random.Random) -> int:
        ctx = env.place(bytes(56))
        assert env.call("cryptile_drbg_init", ctx, env.place(rng.randbytes(48)), 48, 0, 0) == OK
        return ctx

    derive = "cryptile_hkdf"
    return [
        *calls,
        simple("cryptile_hmac", 32, lambda env, rng, a, n, b: [
            alg(env), *salt(env, rng), a, n, b, 32], title="cryptile_hmac, message"),
        simple("cryptile_hmac", 32, lambda env, rng, a, n, b: [
            alg(env), a, n, *salt(env, rng), b, 32], title="cryptile_hmac, key"),
        simple("cryptile_cmac", 16, lambda env, rng, a, n, b: [
            env.place(rng.randbytes(16)), 16, a, n, b, 16], title="cryptile_cmac, message"),
        simple("cryptile_cmac", 16, lambda env, rng, a, n, b: [
            a, n, *salt(env, rng), b, 16], title="cryptile_cmac, key", lengths=(16, 24, 32)),
        simple("cryptile_drbg_generate", 200, lambda env, rng, a, n, b: [
            drbg(env, rng), b, 200, a, n]),
        simple("cryptile_shake", 200, lambda env, rng, a, n, b: [168, a, n, b, 200]),
        simple("cryptile_hkdf_extract", 32, lambda env, rng, a, n, b: [
            alg(env), a, n, *salt(env, rng), b], title="cryptile_hkdf_extract, salt"),
        simple("cryptile_hkdf_extract", 32, lambda env, rng, a, n, b: [
            alg(env), *salt(env, rng), a, n, b], title="cryptile_hkdf_extract, key material"),
        simple("cryptile_hkdf_expand", 100, lambda env, rng, a, n, b: [
            alg(env), a, n, *salt(env, rng), b, 100], title="cryptile_hkdf_expand, key",
            lengths=(32, 64, 200)),
        simple("cryptile_hkdf_expand", 100, lambda env, rng, a, n, b: [
            alg(env), *salt(env, rng), a, n, b, 100], title="cryptile_hkdf_expand, info",
            refuses=PARAM),
        simple(derive, 100, lambda env, rng, a, n, b: [
            alg(env), a, n, *salt(env, rng), *salt(env, rng), b, 100], title="cryptile_hkdf, salt"),
        simple(derive, 100, lambda env, rng, a, n, b: [
            alg(env), *salt(env, rng), a, n, *salt(env, rng), b, 100], title="cryptile_hkdf, key"),
        simple(derive, 100, lambda env, rng, a, n, b: [
            alg(env), *salt(env, rng), *salt(env, rng), a, n, b, 100], title="cryptile_hkdf, info",
            refuses=PARAM),
    ]  # fmt: skip
