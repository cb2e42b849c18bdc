#include "tools/reanima/system/failure.h"

#include <exception>
#include <new>

#include "core/decode_error.h"
#include "core/shortened.h"

namespace reanima::tool {

namespace {

int statusOf(core::DecodeError::Kind kind) {
    using Kind = core::DecodeError::Kind;
    return kind == Kind::limit ? kLimitExceeded : kind == Kind::option ? kUsage : kInputFailed;
}

std::string_view wordFor(core::DecodeError::Kind kind) {
    switch (kind) {
        using enum core::DecodeError::Kind;
        case limit:
            return "limit";
        case skeletonMismatch:
            return "skeleton-mismatch";
        case option:
            return "option";
        case ambiguousNames:
            return "ambiguous-names";
        case noHumanoid:
            return "no-humanoid";
        case cancelled:
            return "interrupted";
        case malformed:
        case nothing:
            break;
    }
    return "input";
}

/// The failure for the current exception, with its whole text. Call it in an exception handler.
Failure failureAsThrown() {
    using core::DecodeError;
    try {
        throw;
    } catch (const UsageError& error) {
        return {error.what(), kUsage};
    } catch (const ClosedPipe& error) {
        Failure failure{error.what(), kOutputFailed};
        failure.isQuiet = true;
        return failure;
    } catch (const OutputError& error) {
        return {error.what(), kOutputFailed};
    } catch (const DecodeError& error) {
        return {.message = error.message(flagWording),
                .status = statusOf(error.kind()),
                .field = error.field(),
                .offset = error.offset(),
                .word = wordFor(error.kind())};
    } catch (const std::bad_alloc&) {
        return {.message = "out of memory", .status = kLimitExceeded, .word = "memory"};
    } catch (const std::exception& error) {
        return {error.what(), kInputFailed};
    }
}

}  // namespace

std::string_view Failure::code() const {
    if (!word.empty())
        return word;
    switch (status) {
        case kUsage:
            return "usage";
        case kOutputFailed:
            return "output";
        case kLimitExceeded:
            return "limit";
        default:
            return "input";
    }
}

Failure currentFailure() {
    Failure failure = failureAsThrown();
    failure.message = core::shortened(std::move(failure.message), core::kLongestMessage);
    return failure;
}

}  // namespace reanima::tool
