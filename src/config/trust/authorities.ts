import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PipeError } from '../../error.ts'
import { entryNames } from '../../files/look.ts'

export interface AuthoritySources {
  /** The setting `ca_file`; `~/` is the home folder. */
  readonly caFile: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
}

/** A certificate file, with the name of the setting or variable that set it. */
export interface NamedFile {
  readonly name: string
  readonly path: string
}

/** Paths of the system's certificate authorities on Linux distributions and BSDs. The first that exists is used. */
const systemFiles = [
  // Debian, Ubuntu, Arch, Alpine
  '/etc/ssl/certs/ca-certificates.crt',
  // Fedora, RHEL
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  // openSUSE
  '/etc/ssl/ca-bundle.pem',
  '/var/lib/ca-certificates/ca-bundle.pem',
  // OpenELEC, older systems
  '/etc/pki/tls/cacert.pem',
  // macOS, FreeBSD
  '/etc/ssl/cert.pem',
]

/**
 * Reads the PEM texts trusted besides Node's: `ca_file`, `NODE_EXTRA_CA_CERTS`, `SSL_CERT_FILE`, `SSL_CERT_DIR`. Adds the system's if
 * neither of the last two is set. Throws `config` for an unreadable named file.
 */
export function readAuthorities(sources: AuthoritySources): readonly string[] {
  const { SSL_CERT_FILE: file, SSL_CERT_DIR: folders } = sources.env
  const named = namedFiles(sources).map(readNamed)
  const inFolders = (folders ?? '').split(':').flatMap((folder) => (folder === '' ? [] : readFolder(folder)))
  return file || folders ? [...named, ...inFolders] : [...named, ...systemAuthorities()]
}

/** Lists the certificate files that settings and variables name. */
export function namedFiles({ caFile, env, home }: AuthoritySources): readonly NamedFile[] {
  const own = caFile?.replace(/^~(?=\/)/, home)
  const candidates = [
    { name: 'ca_file', path: own },
    { name: 'SSL_CERT_FILE', path: env['SSL_CERT_FILE'] },
    { name: 'NODE_EXTRA_CA_CERTS', path: env['NODE_EXTRA_CA_CERTS'] },
  ]
  return candidates.flatMap(({ name, path }) => (path ? [{ name, path }] : []))
}

/** Reads a named certificate file. Throws `config` if it is unreadable or holds no certificate. */
export function readNamed({ name, path }: NamedFile): string {
  const text = readFile(path)
  if (text?.includes('-----BEGIN CERTIFICATE-----') === true) return text
  const fault = text === undefined ? 'cannot be read' : 'contains no PEM certificate'
  throw new PipeError('config', `${name}: ${path} ${fault}`, { details: { field: name } })
}

function systemAuthorities(): readonly string[] {
  for (const path of systemFiles) {
    const text = readFile(path)
    if (text !== undefined) return [text]
  }
  return []
}

function readFolder(folder: string): readonly string[] {
  return entryNames(folder).flatMap((name) => readFile(join(folder, name)) ?? [])
}

function readFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined
    throw error
  }
}
