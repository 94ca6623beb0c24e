import { oneLine } from '../../../characters/one-line.ts'
import { unreachable } from '../../../error.ts'
import type { StoredEvent } from '../../../event-store.ts'
import type { TaskView } from '../../../task.ts'
import { printable } from '../../../terminal/printable.ts'
import { printableJson } from '../../../terminal/printable-json.ts'
import { encodeStoredEvent } from '../../../wire/task-json.ts'

import type { RunContext } from '../../run-context.ts'

/** Characters of what a line says about its event. */
const width = 100
/** Characters of an id, which are enough for `pipe task`. */
const idLength = 8

/** Reports the events that a worker appends: as lines of JSON on stdout, or for people on stderr: `done    fK2x9aQb  It works.` */
export function reportTo({ host, flags }: RunContext): (event: StoredEvent, task: TaskView) => void {
  if (flags.format === 'json')
    return (event) => host.stdout.write(`${printableJson(encodeStoredEvent(event))}\n`)
  return (event, { title }) => {
    if (!flags.has('quiet')) host.stderr.write(workLine(event, title))
  }
}

function workLine(event: StoredEvent, title: string): string {
  const [word, text] = describe(event, title)
  const line = `${word.padEnd(7)} ${event.streamId.slice(0, idLength)}  ${oneLine(text, width)}`
  return `${printable(line).trimEnd()}\n`
}

function describe(event: StoredEvent, title: string): readonly [word: string, text: string] {
  switch (event.type) {
    case 'task_started': {
      const { handedBack, attempt = 1 } = event.payload.options ?? {}
      if (handedBack === true) return ['left', title]
      return [attempt === 1 ? 'taken' : 'resumed', title]
    }
    case 'task_completed':
      return ['done', event.payload.summary ?? title]
    case 'task_failed':
      return ['failed', event.payload.reason]
    case 'user_interaction_requested':
      return ['asks', event.payload.display.title]
    case 'task_created':
    case 'task_canceled':
    case 'user_interaction_responded':
      return ['changed', title]
    default:
      return unreachable(event)
  }
}
