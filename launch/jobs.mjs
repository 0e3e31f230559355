/**
 * Runs `jobs`, at most `lanes` at the same time. Jobs marked `long` begin first, and then the
 * others in their order. The output is printed in the order of `jobs`. The first unfinished job
 * prints immediately; a later job prints when it becomes the first. Returns the results of each
 * job's `run(write)`.
 */
export const runJobs = async (jobs, lanes, print) => {
  const written = jobs.map(() => []);
  let turn = 0;
  const write = (at) => (text) => (at === turn ? print(text) : written[at].push(text));
  const ended = new Set();
  const end = (at) => {
    ended.add(at);
    while (ended.has(turn)) {
      turn += 1;
      for (const text of written[turn] ?? []) print(text);
    }
  };
  const waiting = [...jobs.keys()].toSorted(
    (one, other) => Number(jobs[other].long ?? false) - Number(jobs[one].long ?? false),
  );
  const answers = [];
  const lane = async () => {
    for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) {
      answers[at] = await jobs[at].run(write(at));
      end(at);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return answers;
};
