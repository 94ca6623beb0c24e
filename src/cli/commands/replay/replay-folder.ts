import { findDirectories } from '../../../config/directories.ts'
import { openFolderTrust } from '../../../config/trust/folder-trust.ts'
import { PipeError } from '../../../error.ts'
import type { Session } from '../../../session.ts'
import { printWarning } from '../../../terminal/output.ts'
import { foundFolder } from '../../host.ts'
import type { RunContext } from '../../run-context.ts'

/**
 * Returns the folder to replay a session in: that of the session, or the working folder if `-C` names it or the former is gone. Says
 * which if they differ. Throws `untrusted` if the session, which someone else may have written, would lead to an untrusted folder.
 */
export async function chooseFolder({ id, cwd }: Session, { host, flags }: RunContext): Promise<string> {
  const here = host.cwd
  if (cwd === undefined) return here
  const own = foundFolder(cwd)
  if (own === here) return here
  const note = (text: string) => (flags.has('quiet') ? undefined : printWarning(host, text))
  if (own === undefined || flags.has('cd')) {
    note(`replaying in ${here}; session ${id} belongs to ${cwd}`)
    return here
  }
  const { env, home } = host
  const { config } = findDirectories(env, home)
  const { trusted } = await openFolderTrust({ config, cwd: own, home, forThisRun: flags.has('trust') })
  if (trusted !== true)
    throw new PipeError(
      'untrusted',
      `session ${id} belongs to ${own}, which is not trusted; to replay it there: pipe replay ${id} -C ${own}`,
    )
  note(`replaying in ${own}, the folder of the session`)
  return own
}
