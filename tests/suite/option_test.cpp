#include "suite/option.hpp"

#include "base/units.hpp"
#include "support/errors.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace mpsbench::suite {
namespace {

// Returns the error message for TEXT, or an empty text if the option accepts it.
std::string check(const std::string& option, const std::string& text) {
  Settings settings;
  try {
    find_option(option)->set(settings, text, "");
    return "";
  } catch (const base::Error& error) {
    return std::string(error.what()).substr(2);  // without ": ", which follows the empty origin
  }
}

using Values = std::vector<std::string>;

void expect_form(const std::string& option, const Values& good, const Values& bad) {
  for (const std::string& text : good) EXPECT_EQ(check(option, text), "") << option << " " << text;
  for (const std::string& text : bad) EXPECT_NE(check(option, text), "") << option << " " << text;
}

TEST(Options, AreThoseThatTheDocumentationPromises) {
  const std::vector<std::string> promised =
      base::split_list(
          "model,device,mode,batch-size,ranks,gpus,scaling,bucket-size,rendezvous-timeout,precision,engine,compile-"
          "mode,classes,rows,seed,threads,interop-threads,affinity,dropout,optimizer,loss,weights,input-shape,warmup,"
          "min-time,max-time,max-noise,timeout,min-samples,repeats,cooldown,epochs,max-batches,resume,export-json,dry-"
          "run,filter,host-name,strict,time-limit,quiet,verbose,log-file,no-progress,color,channels-last,dump-first-"
          "step,ceilings,input,dataset,data-dir,vocab,workers,freeze-backbone,iterations,as-published,plain,price,"
          "percentiles,epochs-projected,baseline,versus,threshold,gate-on,alpha,budget,fail-on-regression,fail-on-"
          "undecided,force,trec-labels,max-length,pad,last-batch,shuffle,tokenize")
          .value();
  std::set<std::string> names;
  for (const Option& option : options()) names.insert(option.name);
  EXPECT_EQ(names, std::set<std::string>(promised.begin(), promised.end()));
  EXPECT_EQ(options().size(), promised.size()) << "an option appears twice";
}

TEST(Options, HaveThePromisedShortNames) {
  std::map<std::string, std::string> short_names;
  for (const Option& option : options()) {
    if (!option.short_name.empty()) {
      EXPECT_TRUE(short_names.emplace(option.short_name, option.name).second);
    }
  }
  const std::map<std::string, std::string> promised{{"m", "model"},  {"d", "device"},  {"b", "batch-size"},
                                                    {"w", "warmup"}, {"r", "repeats"}, {"q", "quiet"}};
  EXPECT_EQ(short_names, promised);
}

TEST(Options, AreDescribed) {
  for (const Option& option : options()) {
    EXPECT_FALSE(option.help.empty()) << option.name;
    const bool flag = option.kind == OptionKind::flag;
    EXPECT_EQ(option.value_name.empty(), flag) << option.name;
  }
}

// Returns the first of a list of texts that OPTION accepts.
std::string good_text(const Option& option) {
  if (!option.choices.empty()) return option.choices.front();
  for (const char* text : {"true", "7", "50%", "0.5", "cpu", "sgd"}) {
    if (check(option.name, text).empty()) return text;
  }
  return "";
}

TEST(Options, HaveEachASettingOfTheirOwn) {
  for (const Option& option : options()) {
    Settings settings;
    option.set(settings, good_text(option), "here");
    EXPECT_EQ(option.in(settings).name(), option.name);
    Settings above;
    option.overlay(above, settings);
    for (const Option& other : options()) {
      EXPECT_EQ(other.in(settings).has(), other.name == option.name) << option.name << ", " << other.name;
      EXPECT_EQ(other.in(above).has(), other.name == option.name) << option.name << ", " << other.name;
    }
    EXPECT_EQ(option.in(above).origin(), "here") << option.name;
    option.overlay(settings, Settings());
    EXPECT_TRUE(option.in(settings).has()) << option.name;
    option.clear(settings);
    EXPECT_FALSE(option.in(settings).has()) << option.name;
  }
}

TEST(Options, SayOnceWhatTwoValuesMean) {
  const std::string help = find_option("precision")->help;
  EXPECT_TRUE(tests::contains(help, "; bf16 or fp16 is autocast over fp32 weights ")) << help;
}

TEST(Options, AreFoundByTheirWholeName) {
  EXPECT_EQ(find_option("batch-size")->short_name, "b");
  EXPECT_EQ(find_option("batch"), nullptr);
  EXPECT_EQ(find_option("b"), nullptr);
  EXPECT_EQ(find_option(""), nullptr);
}

TEST(Options, CheckNames) {
  expect_form("model", {"mlp", "mlp,vgg16", "all", "./my/net.json"}, {"", ",", "mlp,", ",mlp", "mlp,,vgg16"});
  expect_form("mode", {"train", "infer", "train,infer", "data"}, {"", "test", "train infer", "train;infer", "Train"});
  expect_form("precision", {"fp32", "bf16", "bf16,fp32"}, {"fp8", "TF32", "fp64", ""});
  expect_form("engine", {"eager", "eager,graph"}, {"compile", "jit"});
  expect_form("compile-mode", {"default", "max-autotune"}, {"", "usual", "max_autotune", "default,max-autotune"});
  expect_form("device", {"auto", "cpu", "mps", "cuda:3", "all", "cpu,mps"}, {"gpu", "cpu,gpu", "cuda:128", ""});
  expect_form("loss", {"cross_entropy", "mse", "bce_with_logits"}, {"cross-entropy", "nll", ""});
  expect_form("optimizer", {"sgd", "adamw:lr=1e-5"}, {"", "sgdd", "sgd:", "sgd:lr", "sgd:lr=fast"});
  EXPECT_EQ(check("precision", "fp8"), "unknown value 'fp8'; known: fp32, tf32, bf16, fp16");
  EXPECT_EQ(check("compile-mode", "default,max-autotune"),
            "takes one value, not the list 'default,max-autotune'; known: default, max-autotune");
}

TEST(Options, SuggestTheNearestChoice) {
  EXPECT_EQ(check("mode", "train,infre"), "unknown value 'infre' (did you mean 'infer'?); known: train, infer, data");
  EXPECT_EQ(check("loss", "cross-entropy").substr(0, 62),
            "unknown value 'cross-entropy' (did you mean 'cross_entropy'?);");
  EXPECT_EQ(check("color", "nevr"), "unknown value 'nevr' (did you mean 'never'?); known: auto, always, never");
}

TEST(Options, SayThatAValueIsEmpty) {
  for (const Option& option : options()) {
    if (option.kind == OptionKind::flag || option.name == "filter") continue;  // an empty filter matches all
    EXPECT_TRUE(tests::contains(check(option.name, ""), "empty")) << option.name;
  }
  EXPECT_EQ(check("precision", ""), "must not be empty; known: fp32, tf32, bf16, fp16");
  EXPECT_EQ(check("threads", ""), "expected whole numbers from 1 to 4096 such as 1,2,4 or 1-8*2, found an empty value");
}

TEST(Options, KnowTheirChoices) {
  const auto choices = [](const char* name) { return find_option(name)->choices; };
  EXPECT_EQ(choices("input"), (std::vector<std::string>{"device", "host"}));
  EXPECT_EQ(choices("mode"), (std::vector<std::string>{"train", "infer", "data"}))
      << "suggestions for an item of a list";
  for (const char* open : {"model", "device", "seed", "quiet"}) EXPECT_TRUE(choices(open).empty()) << open;
}

TEST(Options, CheckNumbers) {
  expect_form("batch-size",
              {"1", "1,8,32", "1-64*2", "4-16+4", "1-4", "max", "best", "cpu=32,mps=1", "cpu=1-8*2,64,cuda=4,cuda:1=2",
               "cpu=max,mps=best"},
              {"0", "-1", "1.5", "", "1,,2", "1,max", "best,1", "Best", "8-1", "1-8*1", "99999999999999999999"});
  expect_form("batch-size", {},
              {"gpu=1", "cpu=", "=1", "cpu=0", "8,cpu=1", "cpu=1,cpu=2", "auto=1", "all=1", "cpu=1,max"});
  expect_form("classes", {"1", "2147483647"}, {"0", "-1", "2147483648", "1.5", ""});
  expect_form("min-samples", {"1", "4096"}, {"0", "4097", "1.5"});
  for (const char* name : {"rows", "epochs", "max-batches"}) {
    expect_form(name, {"1", "9223372036854775807"}, {"0", "-1", "1.5", "1e3", "", "ten", "9223372036854775808", "1,2"});
  }
  expect_form("max-length", {"2", "128"}, {"1", "0", "-1", "1.5", ""});
  expect_form("pad", {"max", "longest"}, {"", "none", "max,longest"});
  expect_form("last-batch", {"drop", "keep"}, {"", "true", "drop,keep"});
  expect_form("shuffle", {"on", "off"}, {"", "true", "no"});
  expect_form("tokenize", {"once", "batch"}, {"", "step"});
  expect_form("trec-labels", {"1.1.0", "2.0.0"}, {"", "1", "1.1.0,2.0.0"});
  expect_form("seed", {"0", "9223372036854775807"}, {"-1", "9223372036854775808"});
  expect_form("threads", {"1", "4096", "1,2,4", "1-8*2"}, {"0", "4097", "1,4097", "1,,2"});
  expect_form("affinity", {"0", "0-3,8"}, {"", "3-1", "0-8*2", "all"});
  expect_form("repeats", {"1", "10000"}, {"0", "10001"});
  EXPECT_EQ(check("threads", "0"), "expected whole numbers from 1 to 4096 such as 1,2,4 or 1-8*2, found '0'");
  EXPECT_EQ(check("rows", "x"), "expected a whole number of at least 1, found 'x'");
}

TEST(Options, CheckTimesSharesAndProbabilities) {
  for (const char* name : {"min-time", "budget"}) {
    expect_form(name, {"0", "500ms", "8s", "2m", "0.5"}, {"-1s", "8 s", "soon", "", "1d", "nan"});
  }
  for (const char* name : {"max-time", "timeout", "time-limit"}) {
    expect_form(name, {"1us", "10"}, {"0", "0s", "-1", "", "inf"});
  }
  expect_form("cooldown", {"0", "500ms", "8s"}, {"-1s", "soon", "auto", ""});
  expect_form("max-noise", {"1%", "0.01", "1e-3"}, {"0", "0%", "-1%", "", "1 %"});
  expect_form("threshold", {"2%", "0.001", "100%"}, {"0", "0%", "1", "5", "", "2 %", "nan"});
  expect_form("gate-on", {"step", "energy,step=0.5%", "latency-p99=0.01,peak-memory=100%"},
              {"", "step,", "time", "step=", "step=0", "step=5", "step=2 %", "=2%", "Step"});
  EXPECT_EQ(check("gate-on", "step,energy=1%,step=3%"), "names step twice");
  EXPECT_EQ(check("gate-on", "latency"),
            "unknown value 'latency' (did you mean 'latency-p99'?); known: step, latency-p99, peak-memory, energy");
  EXPECT_EQ(check("gate-on", "peak-memory=5"),
            "expected a share above 0 and up to 100 %, such as 1% or 0.01, found '5'; did you mean 5%?");
  expect_form("alpha", {"1%", "0.5"}, {"0", "0.6", "-1", ""});
  EXPECT_EQ(check("alpha", "2"),
            "expected a share above 0 and up to 50 %, such as 1% or 0.01, found '2'; did you mean 2%?");
  expect_form("dropout", {"0", "0.5", "0.999"}, {"1", "-0.1", "50%", "", "nan"});
  expect_form("warmup", {"auto", "0", "25", "2s", "500ms"}, {"", "-1", "1.5", "-2s", "automatic"});
}

TEST(Options, CheckFormsOfOutput) {
  expect_form("color", {"auto", "always", "never"}, {"yes", ""});
  for (const char* name : {"weights", "log-file", "export-json", "dump-first-step", "resume", "baseline", "versus"}) {
    expect_form(name, {"a file"}, {""});
  }
}

TEST(Options, CheckAFilterWithoutFallingOver) {
  expect_form("filter", {"mlp", "^vgg.*/b(1|8)/"}, {"(", "[", "*", "a{2,1}", "\\"});
  EXPECT_EQ(check("filter", std::string(100'000, '(')), "a regular expression may have at most 1000 characters");
}

TEST(Options, CheckThatAHostNameFitsIntoAFileName) {
  expect_form("host-name", {"m1max", "Büro 2", "a.b_c-d"},
              {"", "a/b", "..", "../x", ".hidden", "a\nb", std::string("a\0b", 3), std::string(101, 'x')});
}

}  // namespace
}  // namespace mpsbench::suite
