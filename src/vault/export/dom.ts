/** Elements without any markup text: names and texts only, so there is nothing that could be read as code. */
export function element<T extends keyof HTMLElementTagNameMap>(
  page: Document,
  tag: T,
  { text, ...attributes }: Readonly<Record<string, string>> = {},
  ...children: readonly Node[]
): HTMLElementTagNameMap[T] {
  const made = page.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  if (text !== undefined) made.textContent = text
  made.append(...children)
  return made
}
