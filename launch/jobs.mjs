/**
 * Runs `jobs`, at most `lanes` at once: those marked `long` begin first, the others in the
 * order of the list. What a job writes is printed in that order, too: of the first that has
 * not ended as it comes, of a later one as a whole when it is its turn. Answers with what
 * each job's `run(write)` answers.
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
