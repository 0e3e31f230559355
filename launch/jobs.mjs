/**
 * Runs `jobs`, at most `lanes` at the same time. Jobs marked `long` begin first, the others in the
 * order of the list. The output is printed in the order of the list: that of the first unfinished
 * job at once, that of a later job when it becomes the first. Returns what each job's `run(write)`
 * returns.
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
