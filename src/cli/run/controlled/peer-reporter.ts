import { ClaudeLines } from '../../../claude/claude-lines.ts'
import type { JsonObject } from '../../../json-value.ts'
import type { Reporter } from '../../../line/reporter.ts'
import { printableJson } from '../../../terminal/printable-json.ts'
import type { RunContext } from '../../run-context.ts'
import { version } from '../../version.ts'
import type { Wired } from '../../wiring/wired.ts'
import { turnFacts } from './conversation-facts.ts'
import { peerWords } from './tool-words.ts'

/** The conversation that a reporter tells of, once it is open. */
export interface ReportedConversation {
  wired?: Wired
  /** The ids that a program gave messages. */
  readonly givenIds: Map<string, string>
}

/** Reports a run in the lines of another agent. With `-o json`, writes the result alone, or with `--verbose` all lines as one list. */
export function peerReporter({ host, flags }: RunContext, reported: ReportedConversation): Reporter {
  const lines = new ClaudeLines({
    write: writerOf({ host, flags }),
    newId: () => host.newId.message(),
    words: peerWords(host),
    facts: () => (reported.wired === undefined ? {} : turnFacts(reported.wired, host)),
    version,
    windowOf: (model) => reported.wired?.contextWindow(model),
    monotonic: () => host.clock.monotonic(),
    hasPieces: flags.has('include-partial-messages'),
    repeatsUser: flags.has('replay-user-messages'),
    givenId: ({ id }) => reported.givenIds.get(id),
  })
  return {
    begin: (header) => lines.begin(header),
    event: (event) => lines.event(event),
    elfEvent: (event) => lines.elfEvent(event),
    end: (result, outcome, json) => lines.end(result, outcome, json),
  }
}

function writerOf({
  host: { stdout },
  flags,
}: Pick<RunContext, 'host' | 'flags'>): (line: JsonObject) => void {
  const write = (value: object) => stdout.write(`${printableJson(value)}\n`)
  if (flags.format !== 'json') return write
  const isWhole = ['--verbose', '-v'].includes(flags.spelling('verbose') ?? '')
  const all: JsonObject[] = []
  return (line) => {
    if (isWhole) all.push(line)
    if (line['type'] === 'result') write(isWhole ? all : line)
  }
}
