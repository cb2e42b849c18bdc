#include "pipeline/job.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "formats/options.h"
#include "json/json.h"

namespace reanima {

namespace {

void readOption(JobFile& job, const std::string& key, const JsonReader& value) {
    if (value.isFlag() && findSecondName(key) == nullptr) {
        if (value.flag())
            job.options.push_back({key, std::nullopt});
        return;
    }
    const std::string text = value.isText()   ? std::string(value.text())
                             : value.isFlag() ? value.flag() ? "1" : "0"
                                              : fmt::format("{}", value.number());
    if (auto option = byFirstName(key, text))
        job.options.push_back({std::move(option->key), std::move(option->text)});
    else if (key == "keep-mesh")  // its flag could be off in job files of earlier versions
        job.options.push_back({"rig-mesh", "omit"});
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
            if (value.size() == 0)
                throw core::DecodeError(value.place(),
                                        "is empty, expected at least one path. If there are none, leave it out");
            for (std::size_t i = 0; i < value.size(); ++i)
                job.inputs.emplace_back(value.at(i).text());
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
    for (std::size_t i = 0; i < reader.size(); ++i) {
        jobs.push_back(jobFrom(reader.at(i)));
        jobs.back().place = reader.at(i).place().field;
    }
    return jobs;
}

}  // namespace reanima
