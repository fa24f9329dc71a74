// What Swift sees of OpenSSL's libcrypto.
#ifndef CHARTPIPE_CCRYPTO_SHIM_H
#define CHARTPIPE_CCRYPTO_SHIM_H

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

// A macro that Swift does not see: it empties a memory BIO into a caller's pointer.
static inline long chartpipe_bio_data(BIO *bio, char **data) { return BIO_get_mem_data(bio, data); }

// Macros that Swift does not see: an Ed25519 key that libcrypto makes of random bytes.
static inline EVP_PKEY *chartpipe_ed25519_new(void) { return EVP_PKEY_Q_keygen(NULL, NULL, "ED25519"); }

#endif
