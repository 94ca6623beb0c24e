import type { Family, Reader } from '../program.ts'
import { none, shows, showsWith, textOnly } from '../readers.ts'

/** Options of `systemctl` for units of this machine. Its `show` and `cat` print environments, which may hold keys. */
const units = 'alqn:o:t: all full quiet no-pager no-legend plain user system lines= output= type= state='

/** Reads the journal. Without options that rotate or remove it, or that name another one. */
const journal =
  'aefklmqrxn:u:t:p:S:U:o:g: all boot catalog disk-usage dmesg follow full list-boots merge no-full no-hostname no-pager pager-end ' +
  'quiet reverse utc case-sensitive= facility= grep= identifier= lines= output= output-fields= priority= since= unit= until= user-unit='

/** Lists open files. Without `-D`, which writes a file. */
const openFiles: Reader = {
  files: none,
  accepts: (given, args, readsOnly) => {
    // The values of these two are optional, and always in the same word.
    const bare = args.map((arg) => arg.replace(/^(-[atnPlR]*[is])[\w@.:,^-]+$/, '$1'))
    return showsWith('abinlstPRUVFc:d:g:p:u:').accepts?.(given, bare, readsOnly) === true
  },
}

/** Lists sockets. Without `-K`, which closes them, and `-D` and `-F`, which write and read a file. */
const sockets =
  'abeilmnoprstuwxHOSWZ046f: all extended family= info ipv4 ipv6 listening memory no-header numeric oneline options processes ' +
  'raw resolve summary tcp udp unix'

/** Commands that tell how the machine and its services are, and change nothing with the words that are listed. */
export const system: Family = {
  systemctl: {
    reads: shows({
      status: units,
      'is-active': units,
      'is-enabled': units,
      'is-failed': units,
      'list-dependencies': units,
      'list-sockets': units,
      'list-timers': units,
      'list-unit-files': units,
      'list-units': units,
    }),
    wordsAreData: true,
  },
  journalctl: { reads: showsWith(journal), wordsAreData: true },
  lsof: { reads: openFiles, wordsAreData: true },
  ss: { reads: showsWith(sockets), wordsAreData: true },
  netstat: { reads: showsWith('aceginloprstuvwxW46'), wordsAreData: true },
  dmesg: {
    reads: showsWith('deHkLPrtTuwxl:f: ctime decode facility= human kernel level= nopager'),
    wordsAreData: true,
  },
  'lscpu lsmod lsblk locale': { reads: textOnly },
}
