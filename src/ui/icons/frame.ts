// Made by tools/icons.mjs from lucide-static 1.62.0 (ISC, see NOTICE.md). Drawn on 24 by 24, as strokes.
export const arrowLeft = 'M12 19l-7-7 7-7M19 12H5'
export const circleAlert = 'M2 12a10 10 0 1 0 20 0a10 10 0 1 0 -20 0M12 8L12 12M12 16L12.01 16'
export const externalLink = 'M15 3h6v6M10 14 21 3M18 13v6a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2h6'
export const x = 'M18 6 6 18M6 6l12 12'
