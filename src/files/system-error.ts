import { type ErrorCode, isPipeError, PipeError } from '../error.ts'

/** The system's own word for a failure (`ENOENT`), where the error came from the system. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
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
  EPERM: 'the system does not permit it',
  EROFS: 'the file system is read-only',
  EISDIR: 'it is a folder',
  ELOOP: 'its symbolic links go round in a circle',
  ENAMETOOLONG: 'the name is too long',
  ENOSPC: 'the disk is full; free some space there and try again',
  EDQUOT: 'the disk quota is used up; free some space there and try again',
  EFBIG: 'it would be larger than the system allows (ulimit -f)',
  EIO: 'the disk, or the way to it, has failed (input/output error)',
  EMFILE: 'too many files are open at once; raise the limit, for example with: ulimit -n 1024',
  ENFILE: 'too many files are open on this system',
  ERR_INVALID_ARG_VALUE: 'the path holds a NUL byte',
}

/**
 * What a failed file operation means: `not_found`, `permission`, `invalid` (a full disk too), else `internal`; `details` holds the path and the
 * system's word as `reason`. A PipeError passes through; what is no system error becomes `internal`, and so does an unknown one.
 */
export function fileError(error: unknown, path: string, doing: string): PipeError {
  if (isPipeError(error)) return error
  const code = systemCode(error) ?? 'unknown'
  const reason = reasons[code] ?? (error instanceof Error ? error.message : String(error))
  return new PipeError(codes[code] ?? 'internal', `cannot ${doing} ${path}: ${reason}`, {
    cause: error,
    details: { path, reason: code },
  })
}
