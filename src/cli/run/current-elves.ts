import type { ElvesAtWork } from '../../elf.ts'
import { PipeError } from '../../error.ts'

/** Returns the elves of a conversation that another one may replace. `current`: absent while the model starts none. */
export function currentElves(current: () => ElvesAtWork | undefined): ElvesAtWork {
  return {
    get isBusy() {
      return current()?.isBusy ?? false
    },
    next: (signal) => required(current()).next(signal),
    respond: (response) => required(current()).respond(response),
    stop: (name) => current()?.stop(name) ?? false,
  }
}

function required(elves: ElvesAtWork | undefined): ElvesAtWork {
  if (elves === undefined) throw new PipeError('not_found', 'no elf is at work')
  return elves
}
