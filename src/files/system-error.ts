import { type ErrorCode, errorText, isPipeError, PipeError } from '../error.ts'

/** The system's code of an error (`ENOENT`). `undefined` if the system did not raise it. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** Throws an error again that neither the system nor a part of pipe raised on purpose: it is a bug. */
export function throwIfBug(error: unknown): void {
  if (!isPipeError(error) && systemCode(error) === undefined) throw error
}

/** Whether to retry a failed write: a signal interrupted it, or the reader is slow. */
export function isHiccup(error: unknown): boolean {
  const code = systemCode(error)
  return code === 'EINTR' || code === 'EAGAIN'
}

const codes: Readonly<Record<string, ErrorCode>> = {
  ENOENT: 'not_found',
  ENOTDIR: 'not_found',
  EACCES: 'permission',
  EPERM: 'permission',
  EROFS: 'permission',
  EISDIR: 'invalid',
  ELOOP: 'invalid',
  ENAMETOOLONG: 'invalid',
  ENOSPC: 'invalid',
  EDQUOT: 'invalid',
  EFBIG: 'invalid',
  ERR_INVALID_ARG_VALUE: 'invalid',
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EACCES: 'permission denied',
  EPERM: 'the system does not allow it',
  EROFS: 'the file system is read-only',
  EISDIR: 'it is a folder',
  ELOOP: 'its symbolic links form a loop',
  ENAMETOOLONG: 'the name is too long',
  ENOSPC: 'the disk is full; free some space there and try again',
  EDQUOT: 'the disk quota is used up; free some space there and try again',
  EFBIG: 'it would be larger than the system allows (ulimit -f)',
  EIO: 'the disk, or the connection to it, has failed (input/output error)',
  EMFILE: 'too many files are open; raise the limit, for example with: ulimit -n 1024',
  ENFILE: 'too many files are open on this system',
  ERR_INVALID_ARG_VALUE: 'the path contains a NUL byte',
}

/**
 * Translates a failed file operation: `not_found`, `permission`, `invalid` (also for a full disk), otherwise `internal`. `details`
 * holds the path, and the system's code as `reason`. A PipeError passes through.
 */
export function fileError(error: unknown, path: string, doing: string): PipeError {
  if (isPipeError(error)) return error
  const code = systemCode(error) ?? 'unknown'
  const reason = reasons[code] ?? errorText(error)
  return new PipeError(codes[code] ?? 'internal', `cannot ${doing} ${path}: ${reason}`, {
    cause: error,
    details: { path, reason: code },
  })
}

/** Does work on a file. Throws as `fileError` translates. */
export function onFile<Result>(path: string, doing: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw fileError(error, path, doing)
  }
}
