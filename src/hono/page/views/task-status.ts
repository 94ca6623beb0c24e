/** Names the statuses of tasks for people. */
export const statusNames: Readonly<Record<string, string>> = {
  open: 'Open',
  in_progress: 'In progress',
  awaiting_user: 'Waiting for you',
  done: 'Done',
  failed: 'Failed',
  canceled: 'Canceled',
}
