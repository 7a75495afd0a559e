import { CreateProject, createProject } from "../identity/projects/create-project";
import { DeleteProject, deleteProject } from "../identity/projects/delete-project";
import { GetProject, getProject } from "../identity/projects/get-project";
import { ListProjects, listProjects } from "../identity/projects/list-projects";
import { UpdateProject, updateProject } from "../identity/projects/update-project";
import { router, scoped } from "./trpc";

const read = scoped("projects:read");
const write = scoped("projects:write");

export const projectsRouter = router({
  list: read.input(ListProjects).query(({ ctx, input }) => listProjects(ctx.person, input)),
  get: read.input(GetProject).query(({ ctx, input }) => getProject(ctx.person, input)),
  create: write.input(CreateProject).mutation(({ ctx, input }) => createProject(ctx.person, input)),
  update: write.input(UpdateProject).mutation(({ ctx, input }) => updateProject(ctx.person, input)),
  delete: write.input(DeleteProject).mutation(({ ctx, input }) => deleteProject(ctx.person, input)),
});
