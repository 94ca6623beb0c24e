import { type Option, options } from './options.ts'

const introduction = `pipe: a coding agent for the terminal

Usage
  pipe                       the terminal UI: a conversation
  pipe "prompt"              one answer on stdout, progress on stderr
  … | pipe "prompt"          what comes in is data for the prompt
  … | pipe                   what comes in is the prompt

Commands
  pipe sessions [list]       the sessions of this folder, newest first
  pipe sessions show ID      one session as text; -o json for the file itself
  pipe models [FILTER]       what there is to talk to: windows, prices, abilities, and what is missing
  pipe auth [status]         where each provider's key comes from; also list, set NAME, remove NAME
  pipe trust                 trust this folder, with what its settings allow; also list, remove
  pipe permissions [list]    the rules in force and where they come from; check: what they say of a call, without running it
  pipe undo [N]              put files back as they were before the last turn; --list, --redo
  pipe doctor                what is there, what is missing, and what to do about it; --json
  pipe audit [show] [ID]     what was decided and done, and by whom; also export, verify, feedback MESSAGE_ID TEXT
  pipe schema NAME           JSON Schema of what it writes and reads: events, session, config or audit
  pipe demo                  watch the agent work, with no key and no network
  pipe help exit-codes       what each exit code says
  pipe -- demo               a command's name as a prompt

Flags
`

const closing = `
A model is provider/model, such as anthropic/claude-sonnet-5-5, openai/gpt-5.6 or ollama/qwen3:8b.
Keys come from the environment (ANTHROPIC_API_KEY, OPENAI_API_KEY …) or pipe auth, settings from ~/.config/pipe/config.json,
then .pipe/config.json and .pipe/config.local.json of the project, PIPE_MODEL and PIPE_PERMISSION_MODE, flags; later wins.
`

/** What `--help` prints: commands, and a line for each row of the table of flags. */
export function helpText(): string {
  const rows = options.map((option: Option) => ({ flag: spell(option), help: option.help }))
  const width = Math.max(...rows.map((row) => row.flag.length))
  return introduction + rows.map(({ flag, help }) => `  ${flag.padEnd(width)}  ${help}\n`).join('') + closing
}

function spell({ name, short, value, optionalId }: Option): string {
  const argument = value === undefined ? '' : optionalId === true ? ` [${value}]` : ` ${value}`
  return `${short === undefined ? '    ' : `-${short}, `}--${name}${argument}`
}

/** What each code tells a script. The numbers themselves stand in the root's table. */
const meanings: readonly (readonly [number, string])[] = [
  [0, 'done'],
  [1, 'unexpected failure'],
  [2, 'usage: a flag or argument is wrong'],
  [41, 'authentication: no key, or one that was refused'],
  [42, 'input: a file, session, prompt or request that cannot be used'],
  [44, 'sandbox'],
  [45, 'a permission was needed and --on-ask stop was given'],
  [46, 'the model refused'],
  [47, 'the budget is spent'],
  [48, 'the answer was cut at the length limit'],
  [49, 'the answer does not fit the schema'],
  [50, 'the check failed'],
  [51, 'the provider was not available, after retries'],
  [52, 'configuration: settings, model or provider'],
  [53, 'the turn limit was reached'],
  [54, 'a tool could not be run at all'],
  [55, 'the workspace is not trusted'],
  [129, 'ended by SIGHUP'],
  [130, 'interrupted (SIGINT)'],
  [131, 'ended by SIGQUIT'],
  [141, 'the reader of stdout went away'],
  [143, 'ended by SIGTERM'],
]

/** What `--help exit-codes` prints: a line a code, in order. */
export function exitCodeText(): string {
  return meanings.map(([code, meaning]) => `${String(code).padStart(3)}  ${meaning}\n`).join('')
}
