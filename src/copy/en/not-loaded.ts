/** Hosts get it as the message of the error, and elements say it where nothing could be loaded that says anything. */
export const notLoaded = "That didn't load. Check your connection and try again, or reload the page."
