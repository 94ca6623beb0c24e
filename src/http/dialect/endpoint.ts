/** Appends a path to a base URL, before its query. */
export function endpoint(baseUrl: string, path: string): string {
  return baseUrl.replace(/\/*(\?.*)?$/, (_, query = '') => path + query)
}
