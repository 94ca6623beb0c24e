import { PipeError } from '../error.ts'

/** The refusal to write a path that leads elsewhere than when it was judged. */
export function exchanged(path: string): PipeError {
  return new PipeError('invalid', `cannot write ${path}: it leads elsewhere than a moment ago`, {
    details: { path, reason: 'exchanged' },
  })
}
