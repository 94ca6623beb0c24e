import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A certificate with its key, in PEM. */
export interface Certificate {
  readonly cert: string
  readonly key: string
}

/** An unknown certificate authority. */
export interface Authority {
  /** Path of its certificate. */
  readonly file: string
  readonly cert: string
  /** Issues a certificate for this name or IP address. */
  issue(name: string, days?: number): Certificate
}

/** Whether `openssl` is installed. */
export function canCertify(): boolean {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Creates an authority for one test. */
export function createAuthority(): Authority {
  const folder = mkdtempSync(join(tmpdir(), 'pipe-ca-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = (name: string) => join(folder, name)
  const openssl = (...args: readonly string[]) =>
    execFileSync('openssl', [...args], { cwd: folder, stdio: 'ignore' })
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  openssl(
    'req',
    '-x509',
    ...newKey,
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
    '-subj',
    '/CN=Test authority',
    '-days',
    '2',
  )
  return {
    file: path('ca.pem'),
    cert: readFileSync(path('ca.pem'), 'utf8'),
    issue: (name, days = 2) => {
      const subject = isIP(name) !== 0 ? `IP:${name}` : `DNS:${name}`
      writeFileSync(path('san'), `subjectAltName=${subject}\n`)
      openssl('req', ...newKey, '-keyout', 'leaf.key', '-out', 'leaf.csr', '-subj', `/CN=${name}`)
      openssl(
        ...['x509', '-req', '-in', 'leaf.csr', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'],
        ...['-out', 'leaf.pem', '-days', String(days), '-extfile', 'san'],
      )
      return { cert: readFileSync(path('leaf.pem'), 'utf8'), key: readFileSync(path('leaf.key'), 'utf8') }
    },
  }
}
