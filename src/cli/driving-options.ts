import type { Option } from './option.ts'

/** Lists the flags by which another program drives a run. */
export const drivingOptions = [
  {
    name: 'input-format',
    value: 'FORMAT',
    choices: ['text', 'stream-json'],
    help: 'stream-json: a program drives pipe by lines on stdin, with -o stream-json',
  },
  {
    name: 'protocol',
    value: 'NAME',
    choices: ['pipe', 'claude'],
    help: 'whose lines -o json and stream-json are: ours, or those of Claude Code; default: pipe',
  },
  {
    name: 'include-partial-messages',
    help: '--protocol claude: write the pieces of replies too, as our own lines always do',
  },
  {
    name: 'replay-user-messages',
    help: '--protocol claude: write the messages of the user too, as our own lines always do',
  },
  {
    name: 'resume-session-at',
    value: 'MESSAGE',
    help: 'with -r ID: go back to this message, as in -r ID@MESSAGE',
  },
  { name: 'allow-dangerously-skip-permissions', hasNoEffect: true, help: '' },
  { name: 'include-hook-events', hasNoEffect: true, help: '' },
  { name: 'setting-sources', value: 'NAMES', hasNoEffect: true, help: '' },
  { name: 'betas', value: 'NAMES', hasNoEffect: true, help: '' },
  { name: 'debug-file', value: 'PATH', hasNoEffect: true, help: '' },
  { name: 'thinking-display', value: 'HOW', hasNoEffect: true, help: '' },
] as const satisfies readonly Option[]
