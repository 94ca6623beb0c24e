import type { SandboxProfile } from '../../src/sandbox/profile.ts'

/** Commands write only temporary files and have no network. */
export const closedProfile: SandboxProfile = {
  mode: 'workspace-write',
  network: false,
  writable: [],
  protectedNames: [],
  protectedFolders: [],
  protectedFiles: [],
  readOnly: [],
  hidden: [],
  temp: '/tmp/t',
  visible: [],
}
