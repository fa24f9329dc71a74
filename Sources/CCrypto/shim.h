// The parts of OpenSSL's libcrypto for Swift.
#ifndef CHARTPIPE_CCRYPTO_SHIM_H
#define CHARTPIPE_CCRYPTO_SHIM_H

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>

// Wraps a macro: copies a memory BIO to a caller's pointer.
static inline long chartpipe_bio_data(BIO *bio, char **data) { return BIO_get_mem_data(bio, data); }

// Wraps macros: an Ed25519 key from libcrypto's random bytes.
static inline EVP_PKEY *chartpipe_ed25519_new(void) { return EVP_PKEY_Q_keygen(NULL, NULL, "ED25519"); }

#endif
