const drawing =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#3b4754"/>' +
  '<path fill="#fff" d="M16 8a5 5 0 0 1 2.4 9.4L20 24h-8l1.6-6.6A5 5 0 0 1 16 8z"/></svg>'

/** A square with a keyhole, so that no wallet of the demo is mistaken for a real one. */
export const demoIcon = `data:image/svg+xml,${encodeURIComponent(drawing)}`
