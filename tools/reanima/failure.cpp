#include "tools/reanima/failure.h"

#include <exception>
#include <new>

#include "core/decode_error.h"

namespace reanima::tool {

Failure currentFailure() {
    using core::DecodeError;
    try {
        throw;
    } catch (const UsageError& error) {
        return {error.what(), kUsage};
    } catch (const OutputError& error) {
        return {error.what(), kOutputFailed};
    } catch (const DecodeError& error) {
        const bool limit = error.kind() == DecodeError::Kind::limit;
        return {error.what(), limit ? kLimitExceeded : kInputFailed, error.field(), error.offset()};
    } catch (const std::bad_alloc&) {
        return {"out of memory", kLimitExceeded};
    } catch (const std::exception& error) {
        return {error.what(), kInputFailed};
    }
}

}  // namespace reanima::tool
