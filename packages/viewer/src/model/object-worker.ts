/** The worker that knows the objects of a store: thousands of names must not block the page. */
import type { StoredModel } from '@impinge/model';
import { openStoreUrl } from '@impinge/model';
import type { ObjectQuestion } from './object-columns.js';
import { ObjectSearch } from './object-search.js';
import { readColumns, readDetails } from './read-columns.js';

let model: StoredModel;
let search: ObjectSearch;

async function answer(question: ObjectQuestion): Promise<unknown> {
  switch (question.ask) {
    case 'open':
      model = await openStoreUrl(question.url);
      search = new ObjectSearch(model);
      return readColumns(model);
    case 'details':
      return readDetails(model, question.object);
    case 'search':
      return search.find(question.text);
  }
}

addEventListener('message', async ({ data }: MessageEvent<{ number: number; question: ObjectQuestion }>) => {
  const { number, question } = data;
  try {
    postMessage({ number, result: await answer(question) });
  } catch (error) {
    postMessage({ number, error: error instanceof Error ? error.message : String(error) });
  }
});
