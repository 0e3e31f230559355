import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * The start time of a process, which distinguishes it from a later process with the same id. Null
 * if the process has ended or is a zombie.
 */
export const startTimeOf = (pid) => {
  try {
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The program's name in parentheses may contain any character; the fields come after the last
      // parenthesis.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return fields[0] === 'Z' || fields[0] === 'X' ? null : fields[19];
    }
    const [state, ...start] = execFileSync('/bin/ps', ['-o', 'state=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
    })
      .trim()
      .split(/\s+/);
    return state.startsWith('Z') ? null : start.join(' ');
  } catch {
    return null;
  }
};

export const identityOf = (pid) => ({ pid, startTime: startTimeOf(pid) });

export const isAlive = ({ pid, startTime }) => startTime !== null && startTimeOf(pid) === startTime;
