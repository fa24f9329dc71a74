// What Swift sees of OpenSSL's libcrypto.
#ifndef CHARTPIPE_CCRYPTO_SHIM_H
#define CHARTPIPE_CCRYPTO_SHIM_H

#include <openssl/evp.h>
#include <openssl/err.h>

#endif
