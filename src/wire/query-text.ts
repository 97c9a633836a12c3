/** Text as it was before it went into a query; what is no proper escape stays as it is. */
export function queryText(text: string): string {
  try {
    return decodeURIComponent(text.replace(/\+/g, ' '))
  } catch {
    return text
  }
}
