import type { QueryClient } from '@tanstack/react-query';

const ofList = { queryKey: ['conversations'] };

/** Reloads the list of conversations, even if its first load is in progress, which may not include what was just created. */
export async function listAgain(queryClient: QueryClient): Promise<void> {
  await queryClient.cancelQueries(ofList);
  await queryClient.invalidateQueries(ofList);
}
