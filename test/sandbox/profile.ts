import type { SandboxProfile } from '../../src/sandbox/profile.ts'

/** Commands write nowhere but to temporary files, and reach nobody. */
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
