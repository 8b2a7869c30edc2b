"""Measured cycles of AES-128, for the header comments of the routines."""

_MODEL = "AES-128, single issue, loads deliver after two cycles: "

_FIGURES = {
    "cry_aes_bitsliced_ctr_asm": (
        "per byte of 4096: 80.4 on rv32i, 71.6 on rv32im_zbb, 42.7 on rv64im, 38.3 on "
        "rv64im_zba_zbb, 32.0 on rv64im_zkn."
    ),
    "cry_aes_bitsliced_decrypt_asm": (
        "a pass: 3315 on rv32i, 2889 on rv32im_zbb, 3673 on rv64im, 3247 on "
        "rv64im_zba_zbb, 2720 on rv64im_zkn."
    ),
    "cry_aes_bitsliced_encrypt_asm": (
        "a pass: 2715 on rv32i, 2433 on rv32im_zbb, 3073 on rv64im, 2791 on "
        "rv64im_zba_zbb, 2407 on rv64im_zkn."
    ),
    "cry_aes_bitsliced_expand_key_asm": "2182 on rv32i, 2182 on rv64im.",
    "cry_aes_bitsliced_slice_keys_asm": "1230 on rv32i, 1659 on rv64im.",
    "cry_aes_bitsliced_unslice_keys_asm": "922 on rv32i, 1197 on rv64im.",
    "cry_aes_small_encrypt_asm": "a block: 1562.",
    "cry_aes_small_expand_key_asm": "1040.",
    "cry_aes_table_ctr_asm": "per byte of 4096: 51.3 on rv32i, 44.4 on rv32im_zba.",
    "cry_aes_table_decrypt_asm": "per byte of 4096: 54.6 on rv32i, 47.6 on rv32im_zba.",
    "cry_aes_table_encrypt_asm": "per byte of 4096: 55.1 on rv32i, 47.6 on rv32im_zba.",
    "cry_aes_wide_ctr_asm": (
        "per byte of 4096: 63.0 on rv32i, 59.5 on rv32im_zbb, 32.4 on rv64im, 30.7 on "
        "rv64im_zba_zbb, 30.7 on rv64im_zkn."
    ),
    "cry_aes_wide_keys_asm": "2192 on rv32i, 2469 on rv64im.",
    "cry_aes_zkn_ctr_asm": "per byte of 4096: 11.1 on rv32im_zkn, 3.2 on rv64im_zkn.",
    "cry_aes_zkn_decrypt_asm": "per byte of 4096: 11.7 on rv32im_zkn, 3.1 on rv64im_zkn.",
    "cry_aes_zkn_encrypt_asm": "per byte of 4096: 11.7 on rv32im_zkn, 3.1 on rv64im_zkn.",
    "cry_aes_zkn_expand_key_asm": "746 on rv32im_zkn, 736 on rv64im_zkn.",
    "cry_aes_zkn_invert_key_asm": "526 on rv32im_zkn, 94 on rv64im_zkn.",
}


def cycles(symbol: str) -> str:
    """Return the figures of a routine."""
    return _MODEL + _FIGURES[symbol]
