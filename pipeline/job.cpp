#include "pipeline/job.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "json/json.h"

namespace reanima {

namespace {

void readOption(JobFile& job, const std::string& key, const JsonReader& value) {
    if (value.isText()) {
        job.options.push_back({key, value.text()});
    } else if (value.isFlag()) {
        if (value.flag())
            job.options.push_back({key, std::nullopt});
        else if (key == "keep-mesh")  // some hosts enable it by default
            job.options.push_back({"no-" + key, std::nullopt});
    } else {
        job.options.push_back({key, fmt::format("{}", value.number())});
    }
}

/// Reads options. A list as value repeats its option.
void readOptions(JobFile& job, const JsonReader& json) {
    for (const std::string& key : json.keys()) {
        const JsonReader value = json.at(key);
        if (!value.isList()) {
            readOption(job, key, value);
            continue;
        }
        for (std::size_t i = 0; i < value.size(); ++i)
            readOption(job, key, value.at(i));
    }
}

JobFile jobFrom(const JsonReader& json) {
    JobFile job;
    if (json.at("schema").integer(0, 1000) != 1)
        json.at("schema").fail("1");
    for (const std::string& key : json.keys()) {
        const JsonReader value = json.at(key);
        if (key == "inputs") {
            for (std::size_t i = 0; i < value.size(); ++i)
                job.inputs.push_back(value.at(i).text());
        } else if (key == "options") {
            readOptions(job, value);
        } else if (key == "skeleton") {
            job.skeleton = value.text();
        } else if (key == "source_skeleton") {
            job.sourceSkeleton = value.text();
        } else if (key == "map") {
            job.map = value.text();
        } else if (key == "names") {
            job.names = value.text();
        } else if (key == "output") {
            job.output = value.text();
        } else if (key != "schema") {
            throw core::DecodeError(value.place(),
                                    "is not part of a job; expected schema, inputs, skeleton, source_skeleton, map, "
                                    "names, output or options");
        }
    }
    return job;
}

}  // namespace

std::vector<JobFile> parseJobFile(core::Bytes text) {
    const Json json = parseJson(text);
    const JsonReader reader(json);
    std::vector<JobFile> jobs;
    if (!json.is_array()) {
        jobs.push_back(jobFrom(reader));
        return jobs;
    }
    for (std::size_t i = 0; i < reader.size(); ++i)
        jobs.push_back(jobFrom(reader.at(i)));
    return jobs;
}

}  // namespace reanima
