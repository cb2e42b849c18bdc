#include "tools/reanima/system/failure.h"

#include <exception>
#include <new>

#include "core/decode_error.h"

namespace reanima::tool {

namespace {

int statusOf(core::DecodeError::Kind kind) {
    using Kind = core::DecodeError::Kind;
    return kind == Kind::limit ? kLimitExceeded : kind == Kind::option ? kUsage : kInputFailed;
}

}  // namespace

Failure currentFailure() {
    using core::DecodeError;
    try {
        throw;
    } catch (const UsageError& error) {
        return {error.what(), kUsage};
    } catch (const OutputError& error) {
        return {error.what(), kOutputFailed};
    } catch (const DecodeError& error) {
        return {error.message(flagWording), statusOf(error.kind()), error.field(), error.offset()};
    } catch (const std::bad_alloc&) {
        return {"out of memory", kLimitExceeded};
    } catch (const std::exception& error) {
        return {error.what(), kInputFailed};
    }
}

}  // namespace reanima::tool
