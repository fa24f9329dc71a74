// The parts of libcurl for Swift. Its setters and getters are variadic, which Swift cannot call: there is one wrapper for each type.
#ifndef CHARTPIPE_CCURL_SHIM_H
#define CHARTPIPE_CCURL_SHIM_H

#include <curl/curl.h>

static inline CURLcode chartpipe_curl_number(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode chartpipe_curl_size(CURL *handle, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(handle, option, value);
}

// libcurl copies the text.
static inline CURLcode chartpipe_curl_text(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode chartpipe_curl_pointer(CURL *handle, CURLoption option, void *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode chartpipe_curl_list(CURL *handle, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(handle, option, value);
}

typedef size_t (*chartpipe_curl_block)(char *bytes, size_t size, size_t count, void *context);

// For CURLOPT_WRITEFUNCTION, CURLOPT_HEADERFUNCTION and CURLOPT_READFUNCTION.
static inline CURLcode chartpipe_curl_blocks(CURL *handle, CURLoption option, chartpipe_curl_block call) {
  return curl_easy_setopt(handle, option, call);
}

static inline CURLcode chartpipe_curl_seeks(
    CURL *handle, int (*call)(void *context, curl_off_t offset, int origin)) {
  return curl_easy_setopt(handle, CURLOPT_SEEKFUNCTION, call);
}

static inline CURLcode chartpipe_curl_progress(
    CURL *handle, int (*call)(void *context, curl_off_t total, curl_off_t now, curl_off_t up_total, curl_off_t up)) {
  return curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, call);
}

static inline const curl_version_info_data *chartpipe_curl_facts(void) { return curl_version_info(CURLVERSION_NOW); }

static inline long chartpipe_curl_status(CURL *handle) {
  long status = 0;
  curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
  return status;
}

// The proxy's response to CONNECT; 0 without a proxy.
static inline long chartpipe_curl_proxy_status(CURL *handle) {
  long status = 0;
  curl_easy_getinfo(handle, CURLINFO_HTTP_CONNECTCODE, &status);
  return status;
}

static inline const char *chartpipe_curl_last_url(CURL *handle) {
  char *url = NULL;
  curl_easy_getinfo(handle, CURLINFO_EFFECTIVE_URL, &url);
  return url;
}

#endif
